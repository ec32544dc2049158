import type { RunState } from '../../schemas/records.ts';
import type { Database, Row } from './database.ts';

/** A run as a list shows it, with the scores of its last checkpoint. */
export interface ListedRun {
  readonly id: string;
  readonly experimentId: string;
  readonly experimentName: string;
  readonly variant: string;
  readonly seed: number;
  readonly state: RunState;
  readonly reason: string | null;
  readonly roundsCompleted: number;
  readonly roundCount: number;
  readonly envSteps: number;
  readonly attempts: number;
  /** Null until the last checkpoint is evaluated, as the next two. */
  readonly heldoutReturn: number | null;
  readonly relativeGap: number | null;
  readonly verdict: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Of a SKIPPED run: the equal one that was finished before. */
  readonly sameAs: string | null;
}

/** Which runs are meant; what is left out leaves all. */
export interface RunFilter {
  readonly experimentId?: string | undefined;
  readonly states?: readonly RunState[] | undefined;
  /** A name in which `*` stands for any text and `?` for any character. */
  readonly variant?: string | undefined;
  readonly seed?: number | undefined;
  /** What stands somewhere in the id or the reason, in whatever case. */
  readonly text?: string | undefined;
}

export interface RunPage {
  readonly sort: RunSort;
  readonly isDescending: boolean;
  readonly limit: number;
  readonly offset: number;
}

// Scores are looked up for all runs only where the order asks for them: of 10 000 runs that took longer than all the rest.
const SCORED = `left join lateral (select heldout_return, relative_gap from checkpoint_scores
     where run_id = coalesce(r.same_as, r.id) and checkpoint = 'last' order by round desc limit 1) s on true`;
const NEWEST_FIRST = 'e.created_at desc, e.id desc, r.position';

/** What a list can be in the order of: the expression, and what has to be joined for it. */
const SORTS = {
  experiment: { by: 'e.name' },
  variant: { by: 'r.variant' },
  seed: { by: 'r.seed' },
  state: { by: 'r.state' },
  rounds_completed: { by: 'r.rounds_completed' },
  env_steps: { by: 'r.env_steps' },
  started_at: { by: 'r.started_at' },
  finished_at: { by: 'r.finished_at' },
  heldout_return: { by: 's.heldout_return', join: SCORED },
  relative_gap: { by: 's.relative_gap', join: SCORED },
} as const satisfies Record<string, { by: string; join?: string }>;

export type RunSort = 'newest' | keyof typeof SORTS;
export const RUN_SORTS: readonly RunSort[] = ['newest', ...(Object.keys(SORTS) as (keyof typeof SORTS)[])];

/** A page of the runs that a filter leaves, and how many it leaves. Missing values and NaN come last in either direction. */
export async function listRunPage(
  database: Database,
  filter: RunFilter,
  { sort, isDescending, limit, offset }: RunPage,
): Promise<{ total: number; runs: ListedRun[] }> {
  const asked = sort === 'newest' ? { by: null, join: '' } : { join: '', ...SORTS[sort] };
  const { join } = asked;
  const order = asked.by === null ? NEWEST_FIRST : `${orderBy(asked.by, isDescending)}, ${NEWEST_FIRST}`;
  const page = conditions(filter, 3);
  const { rows } = await database.query(
    `with chosen as materialized (
       select r.id from runs r join experiments e on e.id = r.experiment_id ${join} ${page.where}
        order by ${order} limit $1 offset $2)
     ${SELECT_LISTED} where r.id in (select id from chosen) order by ${order}`,
    [limit, offset, ...page.values],
  );
  const { where, values } = conditions(filter, 1);
  const counted = await database.query(`select count(*) as total from runs r ${where}`, values);
  return { total: counted.rows[0]!['total'] as number, runs: rows.map(listedFromRow) };
}

/** One run as a list shows it; null where there is none of this id. */
export async function findListedRun(database: Database, id: string): Promise<ListedRun | null> {
  const { rows } = await database.query(`${SELECT_LISTED} where r.id = $1`, [id]);
  return rows[0] === undefined ? null : listedFromRow(rows[0]);
}

const SELECT_LISTED = `select r.id, r.experiment_id, e.name as experiment_name, r.variant, r.seed, r.state, r.reason,
       r.rounds_completed, (v.resolved -> 'budget' ->> 'rounds')::int as round_count, r.env_steps, r.started_at,
       r.finished_at, r.same_as, (select count(*) from attempts a where a.run_id = r.id) as attempts,
       s.heldout_return, s.relative_gap, s.verdict
  from runs r
  join experiments e on e.id = r.experiment_id
  join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
  left join lateral (select heldout_return, relative_gap, verdict from checkpoint_scores
                      where run_id = coalesce(r.same_as, r.id) and checkpoint = 'last' order by round desc limit 1) s on true`;

/** @param first number of the first parameter */
function conditions(
  { experimentId, states, variant, seed, text }: RunFilter,
  first: number,
): { where: string; values: unknown[] } {
  const asked: readonly (readonly [condition: (place: string) => string, value: unknown])[] = [
    [(place) => `r.experiment_id = ${place}`, experimentId],
    [(place) => `r.state = any(${place})`, states],
    [(place) => `r.variant like ${place}`, variant === undefined ? undefined : likeFromGlob(variant)],
    [(place) => `r.seed = ${place}`, seed],
    [
      (place) => `(r.id || ' ' || coalesce(r.reason, '')) ilike ${place}`,
      text === undefined ? undefined : `%${literal(text)}%`,
    ],
  ];
  const given = asked.filter(([, value]) => value !== undefined);
  const where = given.map(([condition], index) => condition(`$${first + index}`)).join(' and ');
  return { where: where === '' ? '' : `where ${where}`, values: given.map(([, value]) => value) };
}

function orderBy(expression: string, isDescending: boolean): string {
  const missing = `case when ${expression} is null then 2 when ${expression}::text = 'NaN' then 1 else 0 end`;
  return `${missing}, ${expression} ${isDescending ? 'desc' : 'asc'}`;
}

/** Text in a pattern of `like` that stands for itself. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

function likeFromGlob(glob: string): string {
  return literal(glob).replaceAll('*', '%').replaceAll('?', '_');
}

function listedFromRow(row: Row): ListedRun {
  return {
    id: row['id'] as string,
    experimentId: row['experiment_id'] as string,
    experimentName: row['experiment_name'] as string,
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    state: row['state'] as RunState,
    reason: row['reason'] as string | null,
    roundsCompleted: row['rounds_completed'] as number,
    roundCount: row['round_count'] as number,
    envSteps: row['env_steps'] as number,
    attempts: row['attempts'] as number,
    heldoutReturn: row['heldout_return'] as number | null,
    relativeGap: row['relative_gap'] as number | null,
    verdict: row['verdict'] as string | null,
    startedAt: row['started_at'] as Date | null,
    finishedAt: row['finished_at'] as Date | null,
    sameAs: row['same_as'] as string | null,
  };
}

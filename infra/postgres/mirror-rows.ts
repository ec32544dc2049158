import type { MirrorKind } from '../../schemas/resolved-experiment.ts';
import type { Database, Queryable, Row } from './database.ts';
import { insertExperimentEvent } from './event-rows.ts';
import { IS_FINAL } from './run-rows.ts';

/** A tracker that an experiment is mirrored to. */
export interface MirrorKey {
  readonly experimentId: string;
  readonly kind: MirrorKind;
  readonly url: string;
  /** Name of the experiment there. */
  readonly project: string;
}

/** A run of which a tracker is to be told something. */
export interface MirroredRun {
  readonly runId: string;
  /** Of the run whose rows it shows. */
  readonly sourceId: string;
  readonly variant: string;
  readonly seed: number;
  /** A tracker makes no difference between running, trying again and being about to end. */
  readonly state: string;
  readonly reason: string | null;
  readonly envSteps: number;
  /** The last round that nothing is added to any more; −1 for none. */
  readonly settledRound: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** How far a tracker has come with an experiment. */
export interface MirrorStatus extends Omit<MirrorKey, 'experimentId'> {
  readonly runCount: number;
  /** Runs that it knows the end of. */
  readonly toldCount: number;
  readonly failures: number;
  readonly problem: string | null;
  /** When it is tried again; null where nothing failed. */
  readonly dueAt: Date | null;
}

/** A failing tracker is named in the log once in so long. */
const NOTE_INTERVAL = `interval '1 hour'`;
/** Between tries: 1 s, 2 s, 4 s, … */
const LONGEST_PAUSE_S = 900;

/** Trackers as experiments name them now; one named twice is one. */
const NAMED = `named as (
  select distinct e.id as experiment_id, m.value ->> 'kind' as kind, rtrim(m.value ->> 'url', '/') as url,
         coalesce(m.value ->> 'experiment', e.name) as project
    from experiments e cross join lateral json_array_elements(e.execution -> 'mirrors') m(value)
   where (e.execution -> 'mirrors') is not null and json_typeof(e.execution -> 'mirrors') = 'array')`;

const SHOWN_STATE = `case when r.state in ('RETRYING', 'CANCELLING') then 'RUNNING' else r.state end`;
/** Nothing is added to a round once the next is there, or the run is over. */
const SETTLED_ROUND = `case when r.state in ${IS_FINAL} then r.rounds_completed else r.rounds_completed - 1 end`;
/** Whether the tracker `m` has to be told something of the run `r`, of which it knows `d`. */
const IS_NEWS = `r.state <> 'QUEUED'
  and (d.told_state is distinct from ${SHOWN_STATE} or ${SETTLED_ROUND} > coalesce(d.sent_round, -1))`;
/** Beside the run `r`: what the tracker `m` knows of it. */
const KNOWN = `left join mirrored_runs d
    on d.run_id = r.id and d.kind = m.kind and d.url = m.url and d.project = m.project`;
const HAS_NEWS = `exists (select from runs r ${KNOWN} where r.experiment_id = m.experiment_id and ${IS_NEWS})`;
const IS_MIRROR = 'experiment_id = $1 and kind = $2 and url = $3 and project = $4';

/**
 * Takes trackers that something is to be told to, for a while and for this worker alone.
 * @param leaseS how long a worker that says nothing more keeps them
 */
export async function claimMirrors(
  database: Database,
  { worker, leaseS, limit }: { worker: string; leaseS: number; limit: number },
): Promise<MirrorKey[]> {
  await database.query(
    `with ${NAMED} insert into mirrors (experiment_id, kind, url, project)
       select experiment_id, kind, url, project from named on conflict do nothing`,
  );
  const { rows } = await database.query(
    `with ${NAMED}, due as (
       select m.experiment_id, m.kind, m.url, m.project
         from mirrors m join named n using (experiment_id, kind, url, project)
        where m.due_at <= now() and m.claimed_until <= now() and ${HAS_NEWS}
        order by m.due_at limit $3 for update of m skip locked)
     update mirrors set claimed_by = $1, claimed_until = now() + make_interval(secs => $2), is_complete = false
       from due where mirrors.experiment_id = due.experiment_id and mirrors.kind = due.kind
        and mirrors.url = due.url and mirrors.project = due.project
     returning mirrors.experiment_id, mirrors.kind, mirrors.url, mirrors.project`,
    [worker, leaseS, limit],
  );
  return rows.map((row) => ({ experimentId: row['experiment_id'] as string, ...placeFromRow(row) }));
}

/** Says that a worker is still at it. @returns whether it may go on: it may not once another has taken over */
export async function keepMirror(
  database: Database,
  key: MirrorKey,
  { worker, leaseS }: { worker: string; leaseS: number },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update mirrors set claimed_until = now() + make_interval(secs => $6)
      where ${IS_MIRROR} and claimed_by = $5 and claimed_until > now()`,
    [...valuesOf(key), worker, leaseS],
  );
  return (rowCount ?? 0) > 0;
}

/** Runs of which a tracker is to be told something, in the order in which they are started. */
export async function listMirroredRuns(database: Database, key: MirrorKey, limit: number): Promise<MirroredRun[]> {
  const { rows } = await database.query(
    `select r.id, coalesce(r.same_as, r.id) as source_id, r.variant, r.seed, ${SHOWN_STATE} as state, r.reason, r.env_steps,
            ${SETTLED_ROUND} as settled_round, coalesce(r.started_at, r.created_at) as started_at, r.finished_at
       from mirrors m join runs r on r.experiment_id = m.experiment_id ${KNOWN}
      where m.experiment_id = $1 and m.kind = $2 and m.url = $3 and m.project = $4 and ${IS_NEWS}
      order by r.position limit $5`,
    [...valuesOf(key), limit],
  );
  return rows.map((row) => ({
    runId: row['id'] as string,
    sourceId: row['source_id'] as string,
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    state: row['state'] as string,
    reason: row['reason'] as string | null,
    envSteps: row['env_steps'] as number,
    settledRound: row['settled_round'] as number,
    startedAt: row['started_at'] as Date,
    finishedAt: row['finished_at'] as Date | null,
  }));
}

/** Writes down what a tracker knows of a run. */
export async function recordMirrored(
  database: Database,
  key: MirrorKey,
  { runId, sentRound, toldState }: { runId: string; sentRound: number; toldState: string },
): Promise<void> {
  await database.query(
    `insert into mirrored_runs (experiment_id, kind, url, project, run_id, sent_round, told_state)
       values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (run_id, kind, url, project) do update set sent_round = $6, told_state = $7`,
    [...valuesOf(key), runId, sentRound, toldState],
  );
}

/** Lets go of a tracker that took all it was told; the log hears of it when that was the last of the experiment. */
export async function releaseMirror(database: Database, key: MirrorKey, place: string): Promise<void> {
  await database.transaction(async (client) => {
    const { rows } = await client.query(
      `update mirrors m set claimed_by = null, claimed_until = '-infinity', due_at = now(), failures = 0, problem = null,
              is_complete = not exists (select from runs r ${KNOWN} where r.experiment_id = m.experiment_id
                                           and (r.state not in ${IS_FINAL} or ${IS_NEWS}))
        where ${IS_MIRROR} returning is_complete, (select count(*) from runs where experiment_id = $1) as runs`,
      valuesOf(key),
    );
    const [row] = rows;
    if (row?.['is_complete'] !== true) return;
    const count = row['runs'] as number;
    const what = count === 1 ? 'its only run' : `all ${count} runs`;
    await insertExperimentEvent(client, key.experimentId, 'mirrored', `to ${place}: ${what}`);
  });
}

/** Lets go of a tracker that did not take what it was told, until a while has passed. */
export async function postponeMirror(
  database: Database,
  key: MirrorKey,
  { place, problem }: { place: string; problem: string },
): Promise<void> {
  await database.transaction(async (client) => {
    const { rows } = await client.query(
      `update mirrors m set claimed_by = null, claimed_until = '-infinity', failures = failures + 1, problem = $5,
              due_at = now() + make_interval(secs => least(${LONGEST_PAUSE_S}, 2 ^ least(failures, 20))),
              noted_at = case when noted_at > now() - ${NOTE_INTERVAL} then noted_at else now() end
        where ${IS_MIRROR} returning noted_at = now() as is_new`,
      [...valuesOf(key), problem],
    );
    if (rows[0]?.['is_new'] === true) await noteFailure(client, key, `${place}: ${problem}`);
  });
}

async function noteFailure(client: Queryable, { experimentId }: MirrorKey, what: string): Promise<void> {
  await insertExperimentEvent(client, experimentId, 'not_mirrored', `to ${what}; it is tried again, and runs go on`);
}

/** Whether some tracker that has not failed is to be told something: services that nobody else needs wait for it. */
export async function hasMirrorNews(database: Database): Promise<boolean> {
  const { rows } = await database.query(
    `with ${NAMED} select exists (
       select from named m left join mirrors k using (experiment_id, kind, url, project)
        where coalesce(k.failures, 0) = 0 and ${HAS_NEWS}) as has_news`,
  );
  return rows[0]?.['has_news'] === true;
}

/** The trackers of an experiment, by name. */
export async function listMirrors(database: Database, experimentId: string): Promise<MirrorStatus[]> {
  const { rows } = await database.query(
    `with ${NAMED}
     select m.kind, m.url, m.project, coalesce(k.failures, 0) as failures, k.problem, k.due_at, c.run_count, c.told_count
       from named m left join mirrors k using (experiment_id, kind, url, project)
      cross join lateral (
        select count(*) as run_count,
               count(*) filter (where r.state in ${IS_FINAL} and not (${IS_NEWS})) as told_count
          from runs r ${KNOWN} where r.experiment_id = m.experiment_id) c
      where m.experiment_id = $1 order by m.kind, m.url, m.project`,
    [experimentId],
  );
  return rows.map((row) => ({
    ...placeFromRow(row),
    runCount: row['run_count'] as number,
    toldCount: row['told_count'] as number,
    failures: row['failures'] as number,
    problem: row['problem'] as string | null,
    dueAt: row['problem'] === null ? null : (row['due_at'] as Date),
  }));
}

function valuesOf({ experimentId, kind, url, project }: MirrorKey): string[] {
  return [experimentId, kind, url, project];
}

function placeFromRow(row: Row): Omit<MirrorKey, 'experimentId'> {
  return { kind: row['kind'] as MirrorKind, url: row['url'] as string, project: row['project'] as string };
}

import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { EXPORT_TABLES } from '../../infra/postgres/export-tables.ts';
import type { MirroredRun } from '../../infra/postgres/mirror-rows.ts';
import { findResultRow } from '../../infra/postgres/result-rows.ts';
import { elapsedS, listRunTableRows } from '../../infra/postgres/run-table-rows.ts';
import type { MlflowServer } from '../../infra/trackers/mlflow-request.ts';
import {
  BATCH_METRICS_MAX,
  createRun,
  findRun,
  logScalars,
  logSettings,
  type MlflowRun,
  type MlflowStatus,
  setStatus,
  type Tags,
} from '../../infra/trackers/mlflow.ts';
import type { ResultRow } from '../../learning/results/result-row.ts';
import { resultNumbers } from '../../learning/results/result-numbers.ts';
import { type RunRows, RUN_TABLES, type Scalar, scalarsOf } from '../../learning/results/run-scalars.ts';
import { settingsOf } from '../../learning/results/run-settings.ts';
import { isFinalState, type RunState } from '../../schemas/records.ts';
import { roundBatches } from './round-batches.ts';

/** Rounds that are read at once. */
const ROUNDS_MAX = 200;
/** The last round that the tracker has whole; told with its last numbers. */
const SENT_ROUND = 'thaw.sent_round';
/** How many settings it has, once it has all. */
const SETTINGS = 'thaw.settings';
/** The state whose numbers it has. */
const STATE = 'thaw.state';

const STATUS: Readonly<Record<RunState, MlflowStatus>> = {
  QUEUED: 'SCHEDULED',
  PAUSED: 'SCHEDULED',
  RUNNING: 'RUNNING',
  RETRYING: 'RUNNING',
  CANCELLING: 'RUNNING',
  SUCCEEDED: 'FINISHED',
  SKIPPED: 'FINISHED',
  FAILED: 'FAILED',
  CRASHED: 'FAILED',
  TIMED_OUT: 'FAILED',
  CANCELLED: 'KILLED',
};

/** Where the numbers of a run come from and go to. */
export interface RunPassage {
  readonly database: Database;
  readonly server: MlflowServer;
  readonly experiment: ExperimentRecord;
  /** Id of the experiment there. */
  readonly project: string;
}

/**
 * Tells an MLflow server what it does not know yet of a run. What it knows is asked of it, and not remembered here: so nothing is
 * told twice, whatever became of the answers to what it was told before.
 * @returns the last round that it has
 * @throws WORLD_TRACKER_UNAVAILABLE
 */
export async function mirrorRun(passage: RunPassage, run: MirroredRun): Promise<number> {
  const { server } = passage;
  const known = await openRun(passage, run);
  let sentRound = sentRoundOf(known);
  while (sentRound < run.settledRound) {
    const throughRound = Math.min(run.settledRound, sentRound + ROUNDS_MAX);
    const scalars = await scalarsBetween(passage, run, { afterRound: sentRound, throughRound });
    for (const { scalars: part, throughRound: whole } of roundBatches(scalars, throughRound, BATCH_METRICS_MAX)) {
      await logScalars(server, known.id, {
        scalars: part,
        tags: whole === null ? {} : { [SENT_ROUND]: String(whole) },
      });
    }
    sentRound = throughRound;
  }
  await tellState(passage, run, known);
  return sentRound;
}

/** −1 also where somebody has written something else there. */
function sentRoundOf({ tags }: MlflowRun): number {
  const text = tags[SENT_ROUND] ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : -1;
}

/** The run as the server has it, made with its settings where it has none. */
async function openRun({ server, experiment, project }: RunPassage, run: MirroredRun): Promise<MlflowRun> {
  // A run of the same id that was submitted anew, after it was deleted or in another home, is another run.
  const identity = { 'thaw.run': run.runId, 'thaw.submitted': experiment.createdAt.toISOString() };
  const found = await findRun(server, project, identity);
  const known = found ?? (await createRun(server, newRun(experiment, run, { identity, project })));
  if (known.tags[SETTINGS] === undefined) {
    const settings = settingsOf(experiment.resolved.variants[run.variant]!, run.seed);
    await logSettings(server, known.id, { settings, tags: { [SETTINGS]: String(settings.length) } });
  }
  return known;
}

function newRun(
  { id, version, resultHash }: ExperimentRecord,
  { variant, seed, startedAt }: MirroredRun,
  { identity, project }: { identity: Tags; project: string },
) {
  const tags = {
    ...identity,
    'thaw.experiment': id,
    'thaw.version': String(version),
    'thaw.hash': resultHash,
    'thaw.variant': variant,
    'thaw.seed': String(seed),
    'mlflow.source.name': 'thaw',
  };
  return { experiment: project, name: `${variant}/${seed}`, startedAt, tags };
}

interface Between {
  readonly afterRound: number;
  readonly throughRound: number;
}

async function scalarsBetween({ database, experiment }: RunPassage, run: MirroredRun, between: Between) {
  const rows: Record<string, RunRows[keyof RunRows]> = {};
  for (const name of RUN_TABLES) {
    const table = EXPORT_TABLES.find((each) => each.name === name)!;
    const part = { experimentId: experiment.id, runId: run.runId, ...between };
    rows[name] = await listRunTableRows(database, table, part);
  }
  const startS = run.startedAt.getTime() / 1000 + (await elapsedS(database, run.sourceId, between.afterRound));
  return scalarsOf(rows as RunRows, startS);
}

/** Its state and why it is in it; once it is whole, its row of the result table, too, as `result/…`. */
async function tellState({ database, server, experiment }: RunPassage, run: MirroredRun, known: MlflowRun) {
  const { runId, reason, finishedAt } = run;
  const state = run.state as RunState;
  if (known.tags[STATE] === state) return;
  const isWhole = STATUS[state] === 'FINISHED';
  const row = isWhole ? await findResultRow(database, { experimentId: experiment.id, runId }) : null;
  const verdict = row?.last?.verdict ?? null;
  const status = STATUS[state];
  // The tag comes last: where it is, all of this has been told.
  if (known.status !== status)
    await setStatus(server, known.id, { status, endedAt: isFinalState(state) ? finishedAt : null });
  await logScalars(server, known.id, {
    scalars: row === null ? [] : resultScalars(row, run),
    tags: {
      ...(reason !== null && { 'thaw.reason': reason }),
      ...(verdict !== null && { 'thaw.verdict': verdict }),
      [STATE]: state,
    },
  });
}

function resultScalars(row: ResultRow, { settledRound, envSteps, finishedAt, startedAt }: MirroredRun): Scalar[] {
  const wallTimeS = (finishedAt ?? startedAt).getTime() / 1000;
  return resultNumbers(row).map(([tag, value]) => ({ tag, round: settledRound, step: envSteps, value, wallTimeS }));
}

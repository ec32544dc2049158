import { z } from 'zod';
import type { Scalar } from '../../learning/results/run-scalars.ts';
import { askMlflow, type MlflowServer, unavailable } from './mlflow-request.ts';

// The few calls of MLflow's REST interface that a mirror needs. What limits and signs there are: LogBatch in
// https://mlflow.org/docs/latest/rest-api.html, and in mlflow/utils/validation.py of its sources.

/** Of one request; MLflow allows 1000 of everything together. */
export const BATCH_METRICS_MAX = 900;
const BATCH_PARAMS_MAX = 90;
const KEY_LENGTH_MAX = 250;
/** What every version and store of MLflow takes. */
const PARAM_LENGTH_MAX = 500;
const TAG_LENGTH_MAX = 5000;

export type MlflowStatus = 'RUNNING' | 'SCHEDULED' | 'FINISHED' | 'FAILED' | 'KILLED';

export type Tags = Readonly<Record<string, string>>;

const experimentSchema = z.object({
  experiment: z.object({ experiment_id: z.string(), lifecycle_stage: z.string().optional() }),
});
const createdExperimentSchema = z.object({ experiment_id: z.string() });
const infoSchema = z.object({ run_id: z.string(), status: z.string() });
const tagsSchema = z.array(z.object({ key: z.string(), value: z.string() })).default([]);
const runSchema = z.object({ info: infoSchema, data: z.object({ tags: tagsSchema }).default({ tags: [] }) });
const foundRunsSchema = z.object({ runs: z.array(runSchema).default([]) });
const createdRunSchema = z.object({ run: runSchema });
const nothingSchema = z.unknown();

/** The id of an experiment by its name; it is made where there is none. @throws WORLD_TRACKER_UNAVAILABLE */
export async function openExperiment(server: MlflowServer, name: string): Promise<string> {
  const found = await experimentId(server, name);
  if (found !== null) return found;
  const request = { path: 'experiments/create', body: { name }, answer: createdExperimentSchema };
  const created = await askMlflow(server, request, ['RESOURCE_ALREADY_EXISTS']);
  if (typeof created === 'object') return created.experiment_id;
  // Somebody else was faster.
  const theirs = await experimentId(server, name);
  if (theirs === null) throw unavailable(`says that the experiment "${name}" is there and that it is not`);
  return theirs;
}

async function experimentId(server: MlflowServer, name: string): Promise<string | null> {
  const request = { path: 'experiments/get-by-name', query: { experiment_name: name }, answer: experimentSchema };
  const found = await askMlflow(server, request, ['RESOURCE_DOES_NOT_EXIST']);
  if (typeof found !== 'object') return null;
  if (found.experiment.lifecycle_stage === 'deleted') {
    throw unavailable(`has the experiment "${name}" among those that were deleted: restore it, or name another`);
  }
  return found.experiment.experiment_id;
}

/** A run as the server has it. */
export interface MlflowRun {
  readonly id: string;
  readonly status: string;
  readonly tags: Tags;
}

/** The run that has all of some tags, whose values hold no quotation marks; null where there is none, or it was deleted. */
export async function findRun(server: MlflowServer, experiment: string, tags: Tags): Promise<MlflowRun | null> {
  const filter = Object.entries(tags).map(([key, value]) => `tags.\`${key}\` = '${value}'`);
  const body = { experiment_ids: [experiment], filter: filter.join(' and '), max_results: 1 };
  const { runs } = await askMlflow(server, { path: 'runs/search', body, answer: foundRunsSchema });
  return runs[0] === undefined ? null : runFrom(runs[0]);
}

export interface NewMlflowRun {
  readonly experiment: string;
  readonly name: string;
  readonly startedAt: Date;
  readonly tags: Tags;
}

export async function createRun(server: MlflowServer, run: NewMlflowRun): Promise<MlflowRun> {
  const body = {
    experiment_id: run.experiment,
    run_name: run.name,
    start_time: run.startedAt.getTime(),
    tags: pairsOf(run.tags, TAG_LENGTH_MAX),
  };
  const created = await askMlflow(server, { path: 'runs/create', body, answer: createdRunSchema });
  return runFrom(created.run);
}

/** Settings of a run, which cannot be changed afterwards; the same may be told again. Tags are written last. */
export async function logSettings(
  server: MlflowServer,
  id: string,
  { settings, tags }: { settings: readonly (readonly [key: string, value: string])[]; tags: Tags },
): Promise<void> {
  for (let first = 0; first < settings.length; first += BATCH_PARAMS_MAX) {
    const chunk = Object.fromEntries(settings.slice(first, first + BATCH_PARAMS_MAX));
    const isLast = first + BATCH_PARAMS_MAX >= settings.length;
    const params = pairsOf(chunk, PARAM_LENGTH_MAX);
    await logBatch(server, { run_id: id, params, ...(isLast && { tags: pairsOf(tags, TAG_LENGTH_MAX) }) });
  }
}

/** Numbers, at most BATCH_METRICS_MAX, and tags, which are written last: a tag that is there says that the numbers are. */
export async function logScalars(
  server: MlflowServer,
  id: string,
  { scalars, tags }: { scalars: readonly Scalar[]; tags: Tags },
): Promise<void> {
  await logBatch(server, { run_id: id, metrics: scalars.map(metricFrom), tags: pairsOf(tags, TAG_LENGTH_MAX) });
}

export async function setStatus(
  server: MlflowServer,
  id: string,
  { status, endedAt }: { status: MlflowStatus; endedAt: Date | null },
): Promise<void> {
  const body = { run_id: id, status, ...(endedAt !== null && { end_time: endedAt.getTime() }) };
  await askMlflow(server, { path: 'runs/update', body, answer: nothingSchema });
}

async function logBatch(server: MlflowServer, body: object): Promise<void> {
  await askMlflow(server, { path: 'runs/log-batch', body, answer: nothingSchema });
}

/** JSON has no NaN; protocol buffers, which MLflow reads, take these words for it. */
function metricFrom({ tag, value, wallTimeS, step }: Scalar) {
  return {
    key: keyFrom(tag),
    value: Number.isFinite(value) ? value : String(value),
    timestamp: Math.round(wallTimeS * 1000),
    step,
  };
}

function pairsOf(pairs: Tags, lengthMax: number): { key: string; value: string }[] {
  return Object.entries(pairs).map(([key, value]) => ({ key: keyFrom(key), value: shortened(value, lengthMax) }));
}

/** Keys are letters, digits and some signs. */
function keyFrom(name: string): string {
  return name.replaceAll(/[^\w./ -]/g, '_').slice(0, KEY_LENGTH_MAX);
}

function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
}

function runFrom({ info, data }: z.output<typeof runSchema>): MlflowRun {
  return {
    id: info.run_id,
    status: info.status,
    tags: Object.fromEntries(data.tags.map(({ key, value }) => [key, value])),
  };
}

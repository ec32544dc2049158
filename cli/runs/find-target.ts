import type { Database } from '../../infra/postgres/database.ts';
import { findExperiment, runId, type ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { listRuns, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { ThawError } from '../../schemas/errors.ts';
import { unknownName } from '../simulators/open-world.ts';

/** What an id names: an experiment, or one run of it. */
export interface Target {
  readonly experiment: ExperimentRecord;
  readonly runs: readonly RunStatus[];
  /** The run named, if one is. */
  readonly run: RunStatus | undefined;
}

/** The runs that a target means. */
export function runsOf({ runs, run }: Target): Target['runs'] {
  return run === undefined ? runs : runs.filter(({ id }) => id === run.id);
}

/** The id of what a target means. */
export function nameOf({ experiment, run }: Target): string {
  return run?.id ?? experiment.id;
}

/** Which variants and seeds are asked about; undefined for all. */
export interface Scope {
  readonly variant: string | undefined;
  readonly seed: number | undefined;
}

/**
 * Finds an experiment by its id, a unique prefix or `@latest`, or a run as EXPERIMENT/VARIANT/SEED.
 * @throws REQUEST_UNKNOWN_ID
 */
export async function findTarget(database: Database, text: string): Promise<Target> {
  const [experimentText = '', variant = '', seed = '', ...rest] = text.split('/');
  const experiment = await findExperiment(database, experimentText);
  const runs = await listRuns(database, experiment.id);
  if (text === experimentText) return { experiment, runs, run: undefined };
  const id = runId(experiment.id, variant, Number(seed));
  const isWellFormed = rest.length === 0 && /^[0-9]+$/.test(seed);
  const run = isWellFormed ? runs.find((each) => each.id === id) : undefined;
  if (run !== undefined) return { experiment, runs, run };
  const variants = Object.keys(experiment.resolved.variants).join(', ');
  throw new ThawError(
    'REQUEST_UNKNOWN_ID',
    `${experiment.id} has no run "${text}". Variants: ${variants}; seeds: ${experiment.resolved.seeds.join(', ')}.`,
    { remedy: 'A run is named EXPERIMENT/VARIANT/SEED; `thaw get EXPERIMENT` lists them.' },
  );
}

/**
 * Finds an experiment, for verbs that act on all of its runs.
 * @throws REQUEST_UNKNOWN_ID
 * @throws REQUEST_BAD_ARGUMENT when a run is named
 */
export async function findWholeExperiment(database: Database, text: string): Promise<Omit<Target, 'run'>> {
  const { experiment, runs, run } = await findTarget(database, text);
  if (run === undefined) return { experiment, runs };
  throw new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `"${text}" is one run, and this acts on all ${runs.length} of ${experiment.id}.`,
    {
      remedy: `Name the experiment, ${experiment.id}, if all its runs are meant; \`thaw get\` and \`thaw logs\` take a run.`,
    },
  );
}

/**
 * What a target and the options beside it ask about: a run narrows it to its variant and seed.
 * @throws REQUEST_BAD_ARGUMENT when the experiment has no such variant or seed
 */
export function scopeOf({ experiment, run }: Target, asked: Scope): Scope {
  const variant = asked.variant ?? run?.variant;
  const seed = asked.seed ?? run?.seed;
  const { variants, seeds } = experiment.resolved;
  if (variant !== undefined && variants[variant] === undefined) {
    throw unknownName('variant', variant, Object.keys(variants));
  }
  if (seed !== undefined && !seeds.includes(seed)) throw unknownName('seed', String(seed), seeds.map(String));
  return { variant, seed };
}

/** Whether what belongs to a run is asked about. */
export function isInScope(row: { readonly variant: string; readonly seed: number }, { variant, seed }: Scope): boolean {
  return (variant === undefined || row.variant === variant) && (seed === undefined || row.seed === seed);
}

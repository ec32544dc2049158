import { isFinalState, type RunState } from '../schemas/records.ts';
import type { ResolvedExperiment } from '../schemas/resolved-experiment.ts';
import { roundSchedule } from './plan.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

/** How far a run has come. */
export interface RunProgress {
  readonly variant: string;
  readonly state: RunState;
  /** Of the rounds that are committed. */
  readonly envSteps: number;
  /** Those of the round in hand included; null before its first report. */
  readonly progressEnvSteps: number | null;
}

/** How many env steps were done at a moment. */
export interface ProgressSample {
  readonly atMs: number;
  readonly envSteps: number;
}

/** How far an experiment has come. */
export interface Progress<Run extends RunProgress> {
  readonly doneCount: number;
  readonly runCount: number;
  readonly running: readonly Run[];
  /** Share of all env steps, in [0, 1]; a run that is over counts as a whole, whatever its end. */
  readonly share: number;
  readonly stepsPerSecond: number;
  /** Null while no speed is known. */
  readonly remainingS: number | null;
}

/** The speed is the mean over this long, so that evaluations between rounds do not make it jump. */
const WINDOW_MS = 20_000;

/** Env steps that a run of each variant takes. */
export function plannedSteps({ variants }: Pick<ResolvedExperiment, 'variants'>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(variants).map(([name, variant]) => {
      const { blockSteps, updateCount } = roundSchedule(variant, DEFAULT_REGISTRIES);
      return [name, blockSteps * updateCount];
    }),
  );
}

/** Env steps done by now, those of the round in hand included. */
export function stepsDone(runs: readonly RunProgress[]): number {
  return runs.reduce((sum, run) => sum + stepsOf(run), 0);
}

function stepsOf({ envSteps, progressEnvSteps }: RunProgress): number {
  return Math.max(envSteps, progressEnvSteps ?? 0);
}

/** Adds a sample, and drops those that are older than the window. */
export function withSample(samples: readonly ProgressSample[], sample: ProgressSample): readonly ProgressSample[] {
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** @param planned see `plannedSteps` @param samples oldest first */
export function progressFrom<Run extends RunProgress>(
  runs: readonly Run[],
  planned: ReadonlyMap<string, number>,
  samples: readonly ProgressSample[],
): Progress<Run> {
  const total = runs.reduce((sum, { variant }) => sum + planned.get(variant)!, 0);
  const left = runs
    .filter(({ state }) => !isFinalState(state))
    .reduce((sum, run) => sum + Math.max(0, planned.get(run.variant)! - stepsOf(run)), 0);
  const stepsPerSecond = speedFrom(samples);
  return {
    doneCount: runs.filter(({ state }) => isFinalState(state)).length,
    runCount: runs.length,
    running: runs.filter(({ state }) => ['RUNNING', 'RETRYING', 'CANCELLING'].includes(state)),
    share: total === 0 ? 1 : 1 - left / total,
    stepsPerSecond,
    remainingS: stepsPerSecond > 0 ? left / stepsPerSecond : null,
  };
}

/** A round that is tried again takes its unfinished steps back, which is no speed below 0. */
function speedFrom(samples: readonly ProgressSample[]): number {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.atMs === first.atMs) return 0;
  return Math.max(0, (1000 * (last.envSteps - first.envSteps)) / (last.atMs - first.atMs));
}

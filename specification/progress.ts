import { isFinalState } from '../schemas/records.ts';
import type { ResolvedExperiment } from '../schemas/resolved-experiment.ts';
import { attemptCosts, attemptsByRun, type AttemptCosts, type TimedAttempt } from './attempt-costs.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';
import { runWork, type RunWork, type WorkKind, type WorkStep } from './run-work.ts';
import { stepsLeft, timeLeftS, type RunInWork } from './time-left.ts';

/** How far a run has come. */
export interface RunProgress extends RunInWork {
  /** Of the rounds that are committed. */
  readonly envSteps: number;
  /** Those of the round in hand included; null before its first report. */
  readonly progressEnvSteps: number | null;
}

/** An attempt as its row tells it; see `listRecentAttempts`. */
export type SeenAttempt = Omit<TimedAttempt, 'share'>;

/** How far an experiment has come. */
export interface Progress<Run extends RunProgress> {
  readonly doneCount: number;
  readonly runCount: number;
  readonly running: readonly Run[];
  /** Share of all work, evaluations included, in [0, 1]; a run that is over counts as a whole, whatever its end. */
  readonly share: number;
  /** Env steps of training that all runs in hand do in a second, their evaluations included; 0 while it is not known. */
  readonly stepsPerSecond: number;
  /** Until every run that is not paused is over; null while nothing has been measured. */
  readonly remainingS: number | null;
}

export interface ProgressInput<Run extends RunProgress> {
  readonly resolved: Pick<ResolvedExperiment, 'variants' | 'variant_hashes' | 'execution'>;
  /** All runs in the order in which they are started. */
  readonly runs: readonly Run[];
  /** Those of runs in hand, and of some that are over: what steps cost is measured on them. */
  readonly attempts: readonly SeenAttempt[];
  /** Of the clock that wrote the times of the attempts. */
  readonly nowMs: number;
}

/** How far an experiment is, and how long it will take by what its steps have taken so far. */
export function progressOf<Run extends RunProgress>(input: ProgressInput<Run>): Progress<Run> {
  const { resolved, runs, nowMs } = input;
  const works = worksOf(resolved);
  const attempts = withShares(input, works);
  const costs = attemptCosts(works, attempts, nowMs);
  const running = runs.filter(({ state }) => ['RUNNING', 'RETRYING', 'CANCELLING'].includes(state));
  const runsAtOnce = resolved.execution.max_concurrent_runs;
  return {
    doneCount: runs.filter(({ state }) => isFinalState(state)).length,
    runCount: runs.length,
    running,
    share: shareDone(runs, works, attempts),
    stepsPerSecond: costs === null ? 0 : speed(running, works, costs),
    remainingS: costs === null ? null : timeLeftS({ runs, works, costs, attempts, runsAtOnce, nowMs }),
  };
}

/** By hash of the variant: what its runs have to do takes a while to find out, and never changes. */
const knownWorks = new Map<string, RunWork>();
const KNOWN_MAX = 1_000;

function worksOf({ variants, variant_hashes }: ProgressInput<RunProgress>['resolved']): ReadonlyMap<string, RunWork> {
  if (knownWorks.size > KNOWN_MAX) knownWorks.clear();
  return new Map(
    Object.entries(variants).map(([name, variant]) => {
      const hash = variant_hashes[name]!;
      const work = knownWorks.get(hash) ?? runWork(variant, DEFAULT_REGISTRIES);
      knownWorks.set(hash, work);
      return [name, work];
    }),
  );
}

/** How much of a training round in hand is done is told by its run. */
function withShares(
  { runs, attempts }: ProgressInput<RunProgress>,
  works: ReadonlyMap<string, RunWork>,
): TimedAttempt[] {
  const runOf = new Map(runs.map((run) => [run.id, run]));
  return attempts.map((attempt) => {
    const run = runOf.get(attempt.runId);
    const isTraining = attempt.kind === 'train_round' && attempt.endedMs === null;
    if (!isTraining || run === undefined || run.progressEnvSteps === null) return { ...attempt, share: null };
    const { envSteps, rounds } = works.get(attempt.variant)!;
    const done = (rounds * (run.progressEnvSteps - run.envSteps)) / envSteps;
    return { ...attempt, share: Math.min(1, Math.max(0, done)) };
  });
}

function shareDone(
  runs: readonly RunProgress[],
  works: ReadonlyMap<string, RunWork>,
  attempts: readonly TimedAttempt[],
): number {
  const attemptsOf = attemptsByRun(attempts);
  const weights = new Map([...works].map(([variant, work]) => [variant, weightOf(work)]));
  let [total, left] = [0, 0];
  for (const run of runs) {
    const weight = weights.get(run.variant)!;
    total += weight;
    const isBegun = run.startedAt !== null || run.roundsCompleted > 0;
    if (isFinalState(run.state)) continue;
    left += isBegun ? weightLeft(run, works.get(run.variant)!, attemptsOf.get(run.id) ?? []) : weight;
  }
  return total === 0 ? 1 : 1 - left / total;
}

function weightLeft(run: RunProgress, work: RunWork, attempts: readonly TimedAttempt[]): number {
  const share = attempts.find(({ endedMs }) => endedMs === null)?.share ?? 0;
  return weightOf(work, stepsLeft(run, work, attempts)) - share * work.weights.train_round;
}

function weightOf({ weights, steps }: RunWork, some: readonly WorkStep[] = steps): number {
  return some.reduce((sum, { kind }) => sum + weights[kind], 0);
}

function speed(running: readonly RunProgress[], works: ReadonlyMap<string, RunWork>, costs: AttemptCosts): number {
  return running.reduce((sum, { variant }) => {
    const { steps, envSteps } = works.get(variant)!;
    const costOf = (kind: WorkKind): number => costs.of(variant, kind) + costs.betweenS;
    return sum + envSteps / steps.reduce((seconds, { kind }) => seconds + costOf(kind), 0);
  }, 0);
}

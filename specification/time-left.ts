import { isFinalState, type RunState } from '../schemas/records.ts';
import { attemptsByRun, usual, workKind, type AttemptCosts, type TimedAttempt } from './attempt-costs.ts';
import type { RunWork, WorkStep } from './run-work.ts';

/** A run as far as the time left depends on it. */
export interface RunInWork {
  readonly id: string;
  readonly variant: string;
  readonly state: RunState;
  readonly roundsCompleted: number;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface TimeLeftInput {
  /** All runs of the experiment in the order in which they are started. */
  readonly runs: readonly RunInWork[];
  readonly works: ReadonlyMap<string, RunWork>;
  readonly costs: AttemptCosts;
  readonly attempts: readonly TimedAttempt[];
  /** `execution.max_concurrent_runs` */
  readonly runsAtOnce: number;
  readonly nowMs: number;
}

/** A step that takes longer than it should goes on for at least this share of the time that it has taken. */
const OVERDUE_SHARE = 0.1;
/** Starts of runs that tell how long the next one takes. */
const STARTS_LOOKED_AT = 50;

/**
 * Seconds until every run that is neither over nor paused is over. Runs in hand go on to their ends; those that wait
 * follow in their order, each in the place that is free first. So it sees the window drain: at the end fewer runs go on
 * than fit.
 */
export function timeLeftS(input: TimeLeftInput): number {
  const { runs, works, costs, attempts, runsAtOnce } = input;
  const attemptsOf = attemptsByRun(attempts);
  const open = runs.filter(({ state }) => !isFinalState(state) && state !== 'PAUSED');
  const places = open
    .filter(({ state }) => state !== 'QUEUED')
    .map((run) => runTimeLeftS(run, attemptsOf.get(run.id) ?? [], input));
  while (places.length < runsAtOnce) places.push(0);
  const startS = startPauseS(runs, runsAtOnce);
  const wholeS = new Map([...works].map(([variant, { steps }]) => [variant, stepsTimeS(steps, variant, costs)]));
  for (const run of open.filter(({ state }) => state === 'QUEUED')) {
    const isBegun = run.roundsCompleted > 0;
    const runS = isBegun ? runTimeLeftS(run, attemptsOf.get(run.id) ?? [], input) : wholeS.get(run.variant)!;
    places[firstFree(places)]! += startS + runS;
  }
  return Math.max(...places);
}

/** Steps of a run that are not done. @param attempts of this run */
export function stepsLeft(
  { roundsCompleted }: Pick<RunInWork, 'roundsCompleted'>,
  { steps }: RunWork,
  attempts: readonly TimedAttempt[],
): readonly WorkStep[] {
  const isDone = ({ kind, round }: WorkStep): boolean =>
    round < roundsCompleted || attempts.some((each) => each.isDone && each.round === round && workKind(each) === kind);
  return steps.filter((step) => !isDone(step));
}

function runTimeLeftS(run: RunInWork, attempts: readonly TimedAttempt[], input: TimeLeftInput): number {
  const { works, costs, nowMs } = input;
  const left = stepsLeft(run, works.get(run.variant)!, attempts);
  const inHand = attempts.find(({ endedMs }) => endedMs === null);
  const whole = stepsTimeS(left, run.variant, costs);
  if (inHand === undefined) return whole;
  const cost = costs.of(run.variant, workKind(inHand));
  const spentS = Math.max(0, (nowMs - inHand.startedMs) / 1000);
  return whole - cost - costs.betweenS + Math.max(cost - spentS, OVERDUE_SHARE * spentS);
}

function stepsTimeS(steps: readonly WorkStep[], variant: string, costs: AttemptCosts): number {
  const kinds = new Map<WorkStep['kind'], number>();
  for (const { kind } of steps) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return [...kinds].reduce((sum, [kind, count]) => sum + count * (costs.of(variant, kind) + costs.betweenS), 0);
}

/** From the end of one run to the first attempt of the run that takes its place. */
function startPauseS(runs: readonly RunInWork[], runsAtOnce: number): number {
  const begun = runs.filter(({ startedAt }) => startedAt !== null);
  const starts = begun.map(({ startedAt }) => startedAt!.getTime()).sort((a, b) => a - b);
  const ends = begun.flatMap(({ finishedAt }) => finishedAt?.getTime() ?? []).sort((a, b) => a - b);
  const pauses = starts.flatMap((start, index) => {
    const freed = ends[index - runsAtOnce];
    return freed === undefined ? [] : [Math.max(0, start - freed) / 1000];
  });
  return usual(pauses.slice(-STARTS_LOOKED_AT));
}

function firstFree(places: readonly number[]): number {
  return places.reduce((best, seconds, index) => (seconds < places[best]! ? index : best), 0);
}

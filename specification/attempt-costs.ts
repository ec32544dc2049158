import { median } from '../learning/statistics/median.ts';
import type { AttemptKind } from '../schemas/records.ts';
import type { RunWork, WorkKind } from './run-work.ts';

/** An attempt as far as its time is concerned. Times are in milliseconds of the database's clock. */
export interface TimedAttempt {
  readonly runId: string;
  readonly variant: string;
  readonly kind: AttemptKind;
  readonly round: number;
  readonly startedMs: number;
  /** Null while it runs. */
  readonly endedMs: number | null;
  /** Whether it did what it was for; a failed one is tried again. */
  readonly isDone: boolean;
  /** End of the run's attempt before; null for its first. */
  readonly previousEndedMs: number | null;
  /** Of a training round in hand: the share of it that is done, in [0, 1]; null where nobody knows. */
  readonly share: number | null;
}

/** What the steps of runs cost in seconds. */
export interface AttemptCosts {
  /** One step that ends well, failed attempts at it included. */
  of(variant: string, kind: WorkKind): number;
  /** Between two attempts of a run: bookkeeping, and waiting for a slot or for memory. */
  readonly betweenS: number;
}

/** The kind of work an attempt is. */
export function workKind({ kind, round }: Pick<TimedAttempt, 'kind' | 'round'>): WorkKind {
  return kind === 'adapt_pool' && round === 0 ? 'first_pool' : kind;
}

/** Part of a training round below which its time says more about the start than about the round. */
const SHARE_MIN = 0.1;

/** A process that starts, or a machine that was asleep, may make one step take much longer than all the others. */
const USUAL_FACTOR_MAX = 3;

/** One step that was measured. */
interface Measured {
  readonly seconds: number;
  /** What was expected of it, see `RunWork.weights`; 0 of a failed attempt, which has only cost time. */
  readonly weight: number;
}

/**
 * What steps cost by what was measured. Where a variant has not done a kind of step yet, the nearest that was measured
 * stands for it, scaled by what is expected of both: the same kind in other variants, then what is alike (playing or
 * training), then everything.
 *
 * @returns null while nothing has been measured
 */
export function attemptCosts(
  works: ReadonlyMap<string, RunWork>,
  attempts: readonly TimedAttempt[],
  nowMs: number,
): AttemptCosts | null {
  const found = new Map<string, Measured[]>();
  for (const attempt of attempts) {
    const kind = workKind(attempt);
    const measured = measure(attempt, works.get(attempt.variant)!.weights[kind], nowMs);
    if (measured === null) continue;
    for (const name of namesOf(attempt.variant, kind)) {
      const others = found.get(name);
      if (others === undefined) found.set(name, [measured]);
      else others.push(measured);
    }
  }
  const rates = new Map([...found].map(([name, measured]) => [name, rateOf(measured)]));
  if ((rates.get(EVERYTHING) ?? null) === null) return null;
  return {
    of(variant, kind) {
      const rate = namesOf(variant, kind)
        .map((name) => rates.get(name) ?? null)
        .find((each) => each !== null)!;
      return rate * works.get(variant)!.weights[kind];
    },
    betweenS: usual(attempts.flatMap(pauseBefore)),
  };
}

const EVERYTHING = 'everything';

/** What a step is measured as, the narrowest first. Decisions and evaluations play episodes, training also learns. */
function namesOf(variant: string, kind: WorkKind): readonly string[] {
  return [`${kind} of ${variant}`, kind, kind === 'train_round' ? 'training' : 'playing', EVERYTHING];
}

/** Null for what tells nothing yet. */
function measure({ startedMs, endedMs, isDone, share }: TimedAttempt, weight: number, nowMs: number): Measured | null {
  if (endedMs !== null) return { seconds: (endedMs - startedMs) / 1000, weight: isDone ? weight : 0 };
  if (share === null || share < SHARE_MIN) return null;
  return { seconds: (nowMs - startedMs) / 1000, weight: share * weight };
}

/** Seconds for each unit of weight; null where nothing was done. What is far from usual counts as a multiple of it. */
function rateOf(measured: readonly Measured[]): number | null {
  const done = measured.filter(({ weight }) => weight > 0);
  if (done.length === 0) return null;
  const sorted = done.map(({ seconds, weight }) => seconds / weight).sort((a, b) => a - b);
  const rateMax = USUAL_FACTOR_MAX * sorted[Math.floor((sorted.length - 1) / 2)]!;
  const sum = (value: (each: Measured) => number): number => measured.reduce((total, each) => total + value(each), 0);
  return (
    sum(({ seconds, weight }) => (weight === 0 ? seconds : Math.min(seconds, rateMax * weight))) /
    sum(({ weight }) => weight)
  );
}

function pauseBefore({ startedMs, previousEndedMs }: TimedAttempt): number[] {
  return previousEndedMs === null ? [] : [Math.max(0, startedMs - previousEndedMs) / 1000];
}

/** The middle of pauses in seconds: one that somebody asked for is much longer than the others, and does not move it. */
export function usual(pausesS: readonly number[]): number {
  return pausesS.length === 0 ? 0 : median(pausesS);
}

export function attemptsByRun(attempts: readonly TimedAttempt[]): ReadonlyMap<string, readonly TimedAttempt[]> {
  const groups = new Map<string, TimedAttempt[]>();
  for (const attempt of attempts) {
    const group = groups.get(attempt.runId);
    if (group === undefined) groups.set(attempt.runId, [attempt]);
    else group.push(attempt);
  }
  return groups;
}

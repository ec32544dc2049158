import { canResample, percentileInterval, type Interval, type IntervalOptions } from './bootstrap.ts';
import { mean } from './moments.ts';
import { resamplesOf, type Resamples } from './resamples.ts';

// Letters: T tasks; n values of the first on a task, m of the second; U of Mann and Whitney.

/** What two variants got on one task. */
export interface TaskPair {
  /** Shape [n] */
  readonly first: readonly number[];
  /** Shape [m] */
  readonly second: readonly number[];
}

/**
 * Probability that a run of the first has more than a run of the second, on a task drawn at random:
 *
 *     1/T · Σ_t U_t / (n_t·m_t),   U = #{ (i, j) : firstᵢ > secondⱼ } + ½ · #{ (i, j) : firstᵢ = secondⱼ }
 *
 * One NaN among the values makes it NaN; infinite values are compared like others. NaN without a task, and where one of the two
 * has no value on some task.
 *
 * @source Agarwal et al.: Deep Reinforcement Learning at the Edge of the Statistical Precipice (NeurIPS 2021), section 4.3
 */
export function probabilityOfImprovement(tasks: readonly TaskPair[]): number {
  return mean(tasks.map(taskProbability));
}

function taskProbability({ first, second }: TaskPair): number {
  if ([...first, ...second].some(Number.isNaN)) return NaN;
  const { below, upTo } = positions(ascending(first), ascending(second));
  const twice = [...below, ...upTo].reduce((sum, count) => sum + count, 0);
  return twice / (2 * first.length * second.length);
}

/**
 * 95 % percentile interval of `probabilityOfImprovement`: the runs of the first and those of the second are resampled
 * independently, each within its task. It does not depend on the order of the runs.
 *
 * @returns null when one of the two has fewer than five values on some task; both ends NaN where a value is
 */
export function improvementInterval(
  tasks: readonly TaskPair[],
  { confidence, resamples, seed }: IntervalOptions = {},
): Interval | null {
  const strata = tasks.flatMap(({ first, second }) => [first, second]);
  if (!canResample(strata)) return null;
  if (strata.some((values) => values.some(Number.isNaN))) return [NaN, NaN];
  const firsts = resamplesOf({ seed, resamples, sizes: tasks.map(({ first }) => first.length) });
  // As many of the second as of the first, where sizes differ.
  const seconds = resamplesOf({
    seed,
    resamples: firsts.count,
    sizes: tasks.map(({ second }) => second.length),
    stream: 1,
  });
  const estimates = new Float64Array(firsts.count);
  const starts = { first: 0, second: 0 };
  for (const task of tasks) {
    addTask(estimates, task, { firsts, seconds, ...starts, weight: 1 / tasks.length });
    starts.first += task.first.length;
    starts.second += task.second.length;
  }
  return percentileInterval(estimates, confidence);
}

interface TaskDraws {
  readonly firsts: Resamples;
  readonly seconds: Resamples;
  /** Number of the task's first item in each. */
  readonly first: number;
  readonly second: number;
  readonly weight: number;
}

/** Adds what every resample of one task gives. The second's draws are counted by order, so that no two values are compared. */
function addTask(estimates: Float64Array, task: TaskPair, draws: TaskDraws): void {
  const { firsts, seconds, weight } = draws;
  const [first, second] = [ascending(task.first), ascending(task.second)];
  const { below, upTo } = positions(first, second);
  const [n, m] = [first.length, second.length];
  // cumulated[k]: how many draws of the second are among its k lowest values.
  const cumulated = new Uint32Array(m + 1);
  for (let resample = 0; resample < estimates.length; resample += 1) {
    cumulated.fill(0);
    const secondStart = resample * seconds.size + draws.second;
    for (let draw = secondStart; draw < secondStart + m; draw += 1) {
      const next = seconds.draws[draw]! - draws.second + 1;
      cumulated[next] = cumulated[next]! + 1;
    }
    for (let rank = 1; rank <= m; rank += 1) cumulated[rank] = cumulated[rank]! + cumulated[rank - 1]!;
    let twice = 0;
    const firstStart = resample * firsts.size + draws.first;
    for (let draw = firstStart; draw < firstStart + n; draw += 1) {
      const item = firsts.draws[draw]! - draws.first;
      twice += cumulated[below[item]!]! + cumulated[upTo[item]!]!;
    }
    estimates[resample] = estimates[resample]! + (weight * twice) / (2 * n * m);
  }
}

function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

/** Of each first value how many second ones are below it, and how many are at most it. Both are ascending. */
function positions(first: Float64Array, second: Float64Array): { below: Uint32Array; upTo: Uint32Array } {
  const below = new Uint32Array(first.length);
  const upTo = new Uint32Array(first.length);
  let [less, most] = [0, 0];
  first.forEach((value, index) => {
    while (less < second.length && second[less]! < value) less += 1;
    while (most < second.length && second[most]! <= value) most += 1;
    below[index] = less;
    upTo[index] = most;
  });
  return { below, upTo };
}

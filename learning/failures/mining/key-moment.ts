/**
 * The step after which the critic's value fell most, the first of equal ones: where the episode went wrong.
 *
 *     argmax_t V(s_t) − V(s_{t+1}),  t = 0 … T − 1
 *
 * Where the value never falls it is the step after which it rose least. A fall from or to NaN is none; where there are no others
 * it is the first step.
 * @param values shape [T+1], T at least 1
 */
export function keyMomentOf(values: readonly number[]): number {
  let moment = 0;
  let largest = -Infinity;
  for (let step = 0; step < values.length - 1; step += 1) {
    const drop = values[step]! - values[step + 1]!;
    if (!(drop > largest)) continue;
    largest = drop;
    moment = step;
  }
  return moment;
}

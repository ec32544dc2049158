import type { ResultRow } from './result-row.ts';
import { mean } from '../statistics/moments.ts';

/**
 * How much better those do that trained on what is held out from a run. Unlike a gap it does not move where the test
 * panel is harder than the training pool.
 *
 *     specialist_regret = mean over test simulators s of (R(specialist of s, s) − R(π, s))
 *
 * @returns null where nothing is held out, or some test simulator has no specialist yet
 */
export function specialistRegret({ testReturns }: Pick<ResultRow, 'testReturns'>): number | null {
  const differences = testReturns.flatMap(({ own, specialist }) => (specialist === null ? [] : [specialist - own]));
  return differences.length === 0 || differences.length < testReturns.length ? null : mean(differences);
}

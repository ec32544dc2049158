import { describe, expect, it } from 'vitest';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { resolved, specDocument } from '../../test/support/spec-document.ts';
import { comparisonWarnings } from './comparison-warnings.ts';

const { variants } = resolved(specDocument());
const METRIC = 'heldout_return';

/** Two measured variants, the second of which is set otherwise. */
function warningsWith(change: Partial<ResolvedVariant>, programVersion = '0.1.0'): string[] {
  const rows = ['frozen', 'pool'].map((variant) =>
    resultRow({ variant, ...(variant === 'pool' && { programVersion }) }),
  );
  const settings = { frozen: variants['frozen']!, pool: { ...variants['pool']!, ...change } };
  return comparisonWarnings({ rows, settings }, METRIC);
}

describe('warnings of a comparison', () => {
  it('are none where variants differ in strategy and algorithm alone', () => {
    expect(warningsWith({})).toEqual([]);
    expect(warningsWith({ algorithm: { ...variants['pool']!.algorithm, name: 'mappo' } })).toEqual([]);
  });

  it('name what is not equal, and who has which', () => {
    const { budget, evaluation, panels } = variants['pool']!;
    expect(warningsWith({ budget: { ...budget, env_steps: 7 } })).toEqual([
      'Not equal are env steps: 100000 (frozen); 7 (pool).',
    ]);
    expect(warningsWith({ budget: { ...budget, count: 'all' } })).toEqual([
      'Not equal are which steps a budget counts: training (frozen); all (pool).',
    ]);
    expect(warningsWith({ panels: { ...panels, test: ['top'] } })).toEqual([
      expect.stringMatching(
        /^Not equal are test panels: \w{8} \(1 simulator\) \(frozen\); \w{8} \(1 simulator\) \(pool\)\.$/,
      ),
    ]);
    expect(warningsWith({ panels: { ...panels, test: [] } })).toEqual([expect.stringContaining('; none (pool)')]);
    expect(warningsWith({ learners: [0, 1] })).toEqual(['Not equal are learning seats: 0 (frozen); 0 and 1 (pool).']);
    expect(
      warningsWith({ evaluation: { ...evaluation, policy_mode: 'sampled', seed: 5, final_episodes: 3 } }),
    ).toHaveLength(3);
    // Another family is another panel too.
    expect(warningsWith({ family: 'simple_tag' })).toHaveLength(3);
    expect(warningsWith({}, '0.2.0')).toEqual(['Not equal are program versions: 0.1.0 (frozen); 0.2.0 (pool).']);
  });

  it('tell runs without a value from runs that are NaN or infinite, by variant', () => {
    const runs = [null, NaN, Infinity, -Infinity, 1].map((heldoutReturn, seed) =>
      resultRow({ seed, last: heldoutReturn === null ? null : scores({ heldoutReturn }) }),
    );
    expect(comparisonWarnings({ rows: runs, settings: {} }, METRIC)).toEqual([
      'Runs without a heldout_return are left out: pool 1.',
      'Runs whose heldout_return is NaN, and with it all that they enter: pool 1.',
      'Runs whose heldout_return is infinite: pool 2.',
    ]);
    const untrained = [resultRow({ last: scores({ relativeGap: NaN }) })];
    expect(comparisonWarnings({ rows: untrained, settings: {} }, 'relative_gap')).toEqual([
      'Runs that learnt nothing have no relative_gap and are left out, but for the mean: pool 1.',
    ]);
  });

  it('ask nothing of a variant of which nothing is compared', () => {
    const rows = [resultRow({ variant: 'frozen' }), resultRow({ variant: 'pool', last: null })];
    const settings = { frozen: variants['frozen']!, pool: { ...variants['pool']!, learners: [1] } };
    expect(comparisonWarnings({ rows, settings }, METRIC)).toEqual([
      'Runs without a heldout_return are left out: pool 1.',
    ]);
  });
});

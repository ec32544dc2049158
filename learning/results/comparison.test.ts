import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { holm } from '../statistics/holm.ts';
import { welchPValue } from '../statistics/welch.ts';
import { wilcoxonPValue } from '../statistics/wilcoxon.ts';
import { compareVariants } from './comparison.ts';
import type { ResultRow } from './result-row.ts';

const METRIC = 'heldout_return';
const FEW = { resamples: 200 };

/** Runs of a variant by seed; null is not measured. */
function runsOf(variant: string, values: readonly (number | null)[]): ResultRow[] {
  return values.map((value, seed) =>
    resultRow({ variant, seed, last: value === null ? null : scores({ heldoutReturn: value }) }),
  );
}

const frozen = [-25, -24.5, -26, -25.25, -24];
const pool = [-21, -20.5, -22, -20.25, -21.5];
const other = [-24.5, -25, -25.5, -26, -23.5];
const rows = [...runsOf('frozen', frozen), ...runsOf('pool', pool), ...runsOf('other', other)];

describe('the comparison of variants', () => {
  it('is each variant for itself, and every other one against the baseline', () => {
    const { baseline, variants, pairs } = compareVariants(rows, METRIC, FEW);
    expect(baseline).toBe('frozen');
    expect(variants.map(({ name, n, nExpected, median }) => [name, n, nExpected, median])).toEqual([
      ['frozen', 5, 5, -25],
      ['pool', 5, 5, -21],
      ['other', 5, 5, -25],
    ]);
    expect(pairs).toMatchObject([
      { first: 'pool', second: 'frozen', probability: 1, seeds: 5 },
      { first: 'other', second: 'frozen', seeds: 5 },
    ]);
    // (4 + 4 + 4 + 5 + 2.5) / 5
    expect(pairs[0]!.difference).toBeCloseTo(3.9, 12);
    expect(compareVariants(rows, METRIC, { ...FEW, baseline: 'pool' }).pairs.map(({ first }) => first)).toEqual([
      'frozen',
      'other',
    ]);
  });

  it('corrects the p-values of each test for the pairs that have one', () => {
    const few = runsOf('few', [-20, -21]);
    const { pairs } = compareVariants([...rows, ...few], METRIC, FEW);
    const differences = (values: readonly number[]) => values.map((value, seed) => value - frozen[seed]!);
    const [welch, wilcoxon] = [
      holm([welchPValue(pool, frozen)!, welchPValue(other, frozen)!]),
      holm([wilcoxonPValue(differences(pool))!, wilcoxonPValue(differences(other))!]),
    ];
    expect(pairs.map(({ welchP }) => welchP)).toEqual([...welch, null]);
    expect(pairs.map(({ wilcoxonP }) => wilcoxonP)).toEqual([...wilcoxon, null]);
    expect(pairs[2]).toMatchObject({ seeds: 2, differenceInterval: null, probabilityInterval: null });
  });

  it('does not depend on the order of the runs', () => {
    const values = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 5, maxLength: 8 });
    fc.assert(
      fc.property(values, values, (first, second) => {
        const [one, two] = [runsOf('one', first), runsOf('two', second)];
        const turned = [...one.toReversed(), ...two.toReversed()];
        expect(compareVariants(turned, METRIC, FEW)).toEqual(compareVariants([...one, ...two], METRIC, FEW));
      }),
      { numRuns: 20 },
    );
  });

  it('leaves out what is not measured, and lets NaN show in all that it enters', () => {
    const some = [...runsOf('frozen', [...frozen, null]), ...runsOf('pool', [...pool, NaN]), ...runsOf('none', [null])];
    const { variants, pairs } = compareVariants(some, METRIC, FEW);
    expect(variants[0]).toMatchObject({ n: 5, nExpected: 6, median: -25 });
    expect(variants[1]).toMatchObject({ n: 6, mean: NaN, median: NaN, iqm: NaN, iqmInterval: [NaN, NaN] });
    expect(variants[2]).toEqual({
      ...{ name: 'none', n: 0, nExpected: 1, mean: null, median: null, iqm: null, iqmInterval: null, profile: [] },
    });
    // The run that is NaN has no partner: the other seeds are compared.
    expect(pairs[0]).toMatchObject({ probability: NaN, probabilityInterval: [NaN, NaN], seeds: 5, welchP: null });
    expect(pairs[0]!.difference).toBeCloseTo(3.9, 12);
    expect(pairs[1]).toMatchObject({ probability: null, probabilityInterval: null, seeds: 0, difference: null });
    expect(compareVariants([], METRIC)).toEqual({
      metric: METRIC,
      baseline: null,
      variants: [],
      thresholds: [],
      pairs: [],
    });
  });

  it('of a relative gap leaves out runs that learnt nothing, but for the mean, which pools all', () => {
    const gaps = [0.5, 0.25, NaN].map((relativeGap, seed) =>
      resultRow({ seed, last: scores({ relativeGap, trainGain: 4, heldoutGain: 1 }) }),
    );
    const [variant] = compareVariants(gaps, 'relative_gap').variants;
    expect(variant).toMatchObject({ n: 2, nExpected: 3, median: 0.375, mean: 1 - 3 / 12 });
  });

  it('has profiles at common thresholds', () => {
    const { thresholds, variants } = compareVariants(rows, METRIC, FEW);
    expect(thresholds[0]!).toBeLessThan(-26);
    expect(thresholds.at(-1)).toBe(-20.25);
    for (const { profile } of variants)
      expect([profile.length, profile[0], profile.at(-1)]).toEqual([thresholds.length, 1, 0]);
  });
});

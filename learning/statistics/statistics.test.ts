import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, sampleStandardDeviation } from './moments.ts';
import { bootstrapInterval, INTERVAL_VALUES_MIN, quantile } from './bootstrap.ts';
import { interquartileMean } from './interquartile-mean.ts';
import { pooledRelativeGap } from './relative-gap.ts';

interface Golden {
  readonly values: number[];
  readonly mean: number;
  readonly std: number;
  readonly iqm: number;
  readonly mean_interval: [number, number];
  readonly train_gains: number[];
  readonly heldout_gains: number[];
  readonly pooled_gap: number;
  readonly pooled_gap_interval: [number, number];
  readonly quantile_share: number;
  readonly quantile: number;
}

const golden = JSON.parse(readFileSync(new URL('./golden/statistics.json', import.meta.url), 'utf8')) as Golden;
const { values } = golden;
const gains = golden.train_gains.map((train, run) => ({ train, heldout: golden.heldout_gains[run]! }));
const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('mean, standard deviation and interquartile mean', () => {
  it('agree with NumPy and SciPy', () => {
    expect(mean(values)).toBeCloseTo(golden.mean, 12);
    expect(sampleStandardDeviation(values)).toBeCloseTo(golden.std, 12);
    expect(interquartileMean(values)).toBeCloseTo(golden.iqm, 12);
  });

  it('agree with the slow loop that drops one value from each end at a time', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 40 }), (sample) => {
        const left = [...sample].sort((a, b) => a - b);
        for (let drop = 0; drop < Math.floor(sample.length / 4); drop += 1) {
          left.shift();
          left.pop();
        }
        let sum = 0;
        for (const value of left) sum += value;
        expect(interquartileMean(sample)).toBeCloseTo(sum / left.length, 6);
      }),
    );
  });

  it('let no NaN vanish into a dropped quarter', () => {
    expect(interquartileMean([...values, NaN])).toBeNaN();
    expect(mean([...values, NaN])).toBeNaN();
  });

  it('are NaN of too few values', () => {
    expect(mean([])).toBeNaN();
    expect(interquartileMean([])).toBeNaN();
    expect(sampleStandardDeviation([1])).toBeNaN();
  });
});

describe('quantile', () => {
  it('agrees with NumPy', () => {
    expect(quantile(Float64Array.from(values).sort(), golden.quantile_share)).toBeCloseTo(golden.quantile, 12);
  });
});

describe('the relative gap of a variant', () => {
  it('is one minus the ratio of sums, not the mean of ratios', () => {
    expect(pooledRelativeGap(gains)).toBeCloseTo(golden.pooled_gap, 12);
    const meanOfRatios = mean(gains.map(({ train, heldout }) => 1 - heldout / train));
    expect(Math.abs(pooledRelativeGap(gains) - meanOfRatios)).toBeGreaterThan(0.1);
  });

  it('is NaN where nothing was gained in training, and of no runs', () => {
    expect(pooledRelativeGap([{ train: -1, heldout: 2 }])).toBeNaN();
    expect(pooledRelativeGap([])).toBeNaN();
  });
});

describe('the bootstrap interval', () => {
  const interval = (confidence: number) => bootstrapInterval({ strata: [values], statistic: mean, confidence })!;

  it('agrees with NumPy up to the noise of the resamples', () => {
    const spread = golden.mean_interval[1] - golden.mean_interval[0];
    interval(0.95).forEach((end, side) => {
      expect(Math.abs(end - golden.mean_interval[side]!)).toBeLessThan(0.03 * spread);
    });
    const gapSpread = golden.pooled_gap_interval[1] - golden.pooled_gap_interval[0];
    bootstrapInterval({ strata: [gains], statistic: pooledRelativeGap })!.forEach((end, side) => {
      expect(Math.abs(end - golden.pooled_gap_interval[side]!)).toBeLessThan(0.03 * gapSpread);
    });
  });

  it('agrees exactly with every possible resample where these can be listed', () => {
    // One value of five differs: the number of its draws is binomial, and the quantiles of that are known.
    const sample = [0, 0, 0, 0, 1];
    const binomial = (k: number) => [1, 5, 10, 10, 5, 1][k]! * 0.2 ** k * 0.8 ** (5 - k);
    const below = (share: number) => {
      let sum = 0;
      for (let k = 0; k <= 5; k += 1) {
        sum += binomial(k);
        if (sum >= share) return k / 5;
      }
      return 1;
    };
    expect(bootstrapInterval({ strata: [sample], statistic: mean })).toEqual([below(0.025), below(0.975)]);
  });

  it('holds the estimate and widens with confidence', () => {
    const narrow = interval(0.5);
    const wide = interval(0.95);
    expect(narrow[0]).toBeLessThan(mean(values));
    expect(narrow[1]).toBeGreaterThan(mean(values));
    expect(wide[0]).toBeLessThan(narrow[0]);
    expect(wide[1]).toBeGreaterThan(narrow[1]);
  });

  it('is the same under one seed and another under another', () => {
    const of = (seed: number) => bootstrapInterval({ strata: [values], statistic: mean, seed, resamples: 2_000 });
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
  });

  it('resamples every stratum within itself', () => {
    const strata = [Array.from({ length: INTERVAL_VALUES_MIN }, () => 0), Array.from({ length: 8 }, () => 1)];
    expect(bootstrapInterval({ strata, statistic: mean, resamples: 100 })).toEqual([8 / 13, 8 / 13]);
  });

  it('is not given below five values, and is NaN where the statistic is', () => {
    expect(bootstrapInterval({ strata: [values.slice(0, INTERVAL_VALUES_MIN - 1)], statistic: mean })).toBeNull();
    expect(bootstrapInterval({ strata: [values, [1]], statistic: mean })).toBeNull();
    expect(bootstrapInterval({ strata: [[...values, NaN]], statistic: mean, resamples: 100 })).toEqual([NaN, NaN]);
  });
});

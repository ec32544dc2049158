import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from '../statistics/bootstrap.ts';
import { pooledRelativeGap } from '../statistics/relative-gap.ts';
import { gapInterval } from './gap-interval.ts';

const gain = fc.double({ min: -10, max: 10, noNaN: true });
const runs = fc.array(fc.record({ train: gain, heldout: gain }), { minLength: 5, maxLength: 12 });

describe('the interval of a pooled relative gap', () => {
  it('is that of a bootstrap over the runs, NaN included', () => {
    fc.assert(
      fc.property(runs, (sample) => {
        expect(gapInterval(sample)).toEqual(bootstrapInterval({ strata: [sample], statistic: pooledRelativeGap }));
      }),
      { numRuns: 20 },
    );
  });

  it('is none below five runs', () => {
    expect(gapInterval(Array.from({ length: 4 }, () => ({ train: 1, heldout: 1 })))).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { RunState } from '../../schemas/records.ts';
import { resultRow } from '../../test/support/result-row.ts';
import { pageResamples } from './page-resamples.ts';

const rowsOf = (variantCount: number, seedCount: number, state: RunState = 'SUCCEEDED') =>
  Array.from({ length: variantCount * seedCount }, (_, index) =>
    resultRow({ variant: `v${index % variantCount}`, seed: Math.floor(index / variantCount), state }),
  );
const resamplesOf = (rows: ReturnType<typeof rowsOf>) => pageResamples(rows, 'heldout_return', 'many-1');

describe('the resamples of a comparison on the page', () => {
  it('are those of the command line where runs are few, and where there is no interval', () => {
    expect(resamplesOf(rowsOf(10, 10))).toBeNull();
    expect(resamplesOf(rowsOf(4, 4, 'RUNNING'))).toBeNull();
    expect(resamplesOf(rowsOf(2, 1000))).toBeNull();
  });

  it.each([
    [20, 100],
    [200, 10],
    [400, 5],
    [2, 5000],
  ])('of %i variants of %i seeds do not keep the server for seconds', (variantCount, seedCount) => {
    const { resamples } = resamplesOf(rowsOf(variantCount, seedCount)) ?? { resamples: 2_000 };
    expect(resamples).toBeGreaterThanOrEqual(1_000);
    // Each variant against a baseline of the same size: its own runs, and for each pair both sides and their differences.
    expect(resamples * (4 * variantCount - 3) * seedCount).toBeLessThan(50_000_000);
  });

  it('are told where they are fewer, with where to get the usual ones', () => {
    expect(resamplesOf(rowsOf(20, 100))!.warning).toBe(
      'Intervals are of 3 896 resamples here, because there are many runs; `thaw compare many-1` takes 50 000: quote those.',
    );
    expect(resamplesOf(rowsOf(2, 10, 'RUNNING'))).toMatchObject({
      resamples: 2_000,
      warning: expect.stringContaining('while runs go on') as unknown,
    });
  });
});

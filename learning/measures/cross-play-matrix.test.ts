import { describe, expect, it } from 'vitest';
import { crossPlayMatrix, type CrossPlayResult } from './cross-play-matrix.ts';

const played = (row: string, column: string, returnMean: number): CrossPlayResult => ({
  rowVariant: row.slice(0, 1),
  rowSeed: Number(row.slice(1)),
  columnVariant: column.slice(0, 1),
  columnSeed: Number(column.slice(1)),
  returnMean,
});

describe('the cross-play matrix', () => {
  const results = [
    played('a0', 'a0', -6),
    played('a1', 'a1', -8),
    played('a0', 'b0', -10),
    played('a1', 'b1', -13),
    played('a0', 'a1', -11),
    played('a1', 'a0', -14),
    played('b0', 'a0', -20),
  ];
  const [a, b] = crossPlayMatrix(['a', 'b'], results);

  it('has means over seeds with their standard deviation: rows for learners, columns for partners', () => {
    expect(a!.entries).toEqual([
      { n: 2, mean: -7, std: Math.SQRT2 },
      { n: 2, mean: -11.5, std: Math.sqrt(4.5) },
    ]);
    expect(b!.entries).toEqual([{ n: 1, mean: -20, std: NaN }, null]);
  });

  it('keeps a stranger of the same recipe apart from the own partner, and tells the difference by seed', () => {
    expect(a!.otherSeed).toMatchObject({ n: 2, mean: -12.5 });
    // (−6 + 11) and (−8 + 14)
    expect(a!.familiarity).toEqual({ n: 2, mean: 5.5, interval: null, pValue: null });
    expect(b).toMatchObject({ otherSeed: null, familiarity: null });
  });

  it('does not depend on the order of what was played', () => {
    expect(crossPlayMatrix(['a', 'b'], results.toReversed())).toEqual([a, b]);
  });

  it('has an entry for every pair of variants, played or not', () => {
    expect(crossPlayMatrix(['a', 'b', 'c'], []).map(({ entries }) => entries)).toEqual(
      Array.from({ length: 3 }, () => [null, null, null]),
    );
  });
});

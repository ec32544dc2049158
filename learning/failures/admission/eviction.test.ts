import { describe, expect, it } from 'vitest';
import { EVICTIONS, type EvictableEntry, type EvictionName } from './eviction.ts';

/** The oldest first. */
const entriesOf = (...contributions: readonly number[]): EvictableEntry[] =>
  contributions.map((contribution, index) => ({ name: `entry ${index}`, contribution }));

describe('every eviction', () => {
  it.each(Object.keys(EVICTIONS) as EvictionName[])(
    '%s names existing entries once, at most as many as are too many, and has nobody go from a pool that is not full',
    (name) => {
      const entries = entriesOf(3, NaN, 1, 1, NaN);
      for (let excess = 0; excess <= entries.length; excess += 1) {
        const leaving = EVICTIONS[name].choose(entries, excess);
        expect(new Set(leaving).size).toBe(leaving.length);
        expect(leaving.length).toBe(name === 'none' ? 0 : excess);
        for (const index of leaving) expect(entries[index]).toBeDefined();
      }
    },
  );
});

describe('the entry that goes', () => {
  it('is the oldest, whatever it taught', () => {
    expect(EVICTIONS.oldest.choose(entriesOf(9, 1, NaN), 2)).toEqual([0, 1]);
  });

  it('is the one that taught least, of equal ones the oldest', () => {
    const { choose } = EVICTIONS.least_contribution;
    expect(choose(entriesOf(3, 2, 0.5, 2), 1)).toEqual([2]);
    expect(choose(entriesOf(3, 2, 0.5, 2), 2)).toEqual([1, 2]);
    expect(choose(entriesOf(3, 2, 0.5, 2), 3)).toEqual([1, 2, 3]);
  });

  it('is never one that has not been judged while there is one that has, and then the oldest of the young', () => {
    const { choose } = EVICTIONS.least_contribution;
    expect(choose(entriesOf(NaN, 5, NaN, 7), 1)).toEqual([1]);
    expect(choose(entriesOf(NaN, 5, NaN, 7), 2)).toEqual([1, 3]);
    expect(choose(entriesOf(NaN, 5, NaN, 7), 3)).toEqual([0, 1, 3]);
    expect(choose(entriesOf(NaN, NaN, NaN), 1)).toEqual([0]);
  });

  it('is nobody where nothing leaves', () => {
    expect(EVICTIONS.none.choose()).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { SITUATIONS } from '../../test/support/strategy-situation.ts';
import type { TrainingEvidence } from './contract.ts';
import { type BufferEntry, type BufferOptions, inserted, type PlayedCandidate, withEvidence } from './replay-buffer.ts';

const { simulator } = SITUATIONS.spread.train[0]!;
const options: BufferOptions = { size: 3, score: 'return_variance', temperature: 1, staleness: 0.5 };

const candidate = (name: string, returnVariance: number): PlayedCandidate => ({
  name,
  simulator,
  parents: [],
  origin: 'made up',
  outcome: { returnMean: 0, returnVariance, successRate: 0, critic: null },
});
const entry = (name: string, returnVariance: number, age = 0): BufferEntry => ({
  ...candidate(name, returnVariance),
  age,
});
const namesOf = (entries: readonly BufferEntry[]) => entries.map(({ name }) => name);
const played = (name: string, returnStd: number, episodes = 8): TrainingEvidence => ({
  ...{ name, episodes, returnStd, returnMean: 0, lengthMean: 25, successRate: 0, scores: null },
});

describe('a buffer', () => {
  it('takes everything in, behind the others and just played, until it is full', () => {
    const entries = [entry('a', 5, 2), entry('b', 1)];
    expect(inserted(entries, candidate('c', 0), options)).toEqual([...entries, entry('c', 0, 0)]);
  });

  it('when full, replaces the entry of the lowest replay probability by a higher score only', () => {
    const entries = [entry('a', 5), entry('b', 1), entry('c', 3)];
    expect(namesOf(inserted(entries, candidate('d', 2), options))).toEqual(['a', 'c', 'd']);
    expect(inserted(entries, candidate('d', 1), options)).toBe(entries);
    expect(inserted(entries, candidate('d', 0.5), options)).toBe(entries);
  });

  it('keeps an entry of the lowest score that was not played for long, because it is replayed for its age', () => {
    // P = ½·(6, 2, 3)/11 + ½·(0, 1, 0).
    const entries = [entry('a', 5), entry('b', 1, 4), entry('c', 3)];
    expect(namesOf(inserted(entries, candidate('d', 4), options))).toEqual(['a', 'b', 'd']);
  });

  it('gives up the oldest of those that are never replayed', () => {
    const onlyAges = { ...options, staleness: 1 };
    const entries = [entry('a', 1), entry('b', 5), entry('c', 3, 1)];
    expect(namesOf(inserted(entries, candidate('d', 2), onlyAges))).toEqual(['b', 'c', 'd']);
  });

  it('learns of the episodes of its entries, and counts the decisions in which they had none', () => {
    const entries = [entry('a', 5, 2), entry('b', 1, 2), entry('c', 3)];
    const evidence = [played('a', 2), played('b', NaN, 0)];
    expect(withEvidence(entries, new Map(evidence.map((each) => [each.name, each])))).toEqual([
      entry('a', 2 ** 2, 0),
      entry('b', 1, 3),
      entry('c', 3, 1),
    ]);
  });
});

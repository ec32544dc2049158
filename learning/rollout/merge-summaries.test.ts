import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EpisodeTally, type EpisodeOutcome } from './episode-tally.ts';
import { mergeSummaries } from './merge-summaries.ts';
import type { EpisodeScores } from '../strategies/contract.ts';

const outcome = fc.record({
  return: fc.double({ min: -100, max: 100, noNaN: true }),
  length: fc.integer({ min: 1, max: 50 }),
  success: fc.boolean(),
});

function summaryOf(outcomes: readonly EpisodeOutcome[], scores: EpisodeScores | null = null) {
  const tally = new EpisodeTally(1);
  for (const each of outcomes) tally.add(0, each);
  return { ...tally.summary(0), scores };
}

describe('summaries of parts', () => {
  it('merge into the summary of all episodes counted together', () => {
    fc.assert(
      fc.property(fc.array(fc.array(outcome, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), (parts) => {
        const merged = mergeSummaries(parts.map((part) => summaryOf(part)));
        const together = summaryOf(parts.flat());
        for (const key of ['episodes', 'returnMean', 'returnStd', 'lengthMean', 'successRate'] as const) {
          if (Number.isNaN(together[key])) expect(merged[key]).toBeNaN();
          else expect(merged[key]).toBeCloseTo(together[key], 8);
        }
      }),
    );
  });

  it('weigh scores by episodes, and keep the largest return', () => {
    const scores = (value: number): EpisodeScores => ({
      positiveValueLoss: value,
      valueMean: -value,
      discountedReturnMax: value,
      shortfall: 2 * value,
    });
    const one = { return: 1, length: 1, success: false };
    const merged = mergeSummaries([summaryOf([one], scores(4)), summaryOf([one, one, one], scores(0))]);
    expect(merged.scores).toEqual({ positiveValueLoss: 1, valueMean: -1, discountedReturnMax: 4, shortfall: 2 });
  });

  it('have no scores when some part that was played has none', () => {
    const one = { return: 1, length: 1, success: false };
    expect(mergeSummaries([summaryOf([one])]).scores).toBeNull();
  });
});

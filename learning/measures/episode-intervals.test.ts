import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { type CollapsePanels, collapseScores, type ScoredSimulator } from './collapse.ts';
import { episodeIntervals } from './episode-intervals.ts';

const EPISODES = 60;
const LIMITS = { watch: 0.1, collapsed: 0.2 };

/** Returns about a mean, in which some of the chance is the start's, and so the same in all simulators. */
function simulator(mean: number, seed: number, weight = 1): ScoredSimulator {
  const [starts, own] = [new RandomStream(keyFrom(1)), new RandomStream(keyFrom(2, seed))];
  const returns = Array.from({ length: EPISODES }, () => mean + 3 * starts.nextNormal() + own.nextNormal());
  return { weight, returns, randomReturns: Array.from({ length: 320 }, () => 0), visitationDivergence: null };
}

const panels: CollapsePanels = {
  train: [simulator(10, 1, 2), simulator(12, 2)],
  validation: [],
  test: [simulator(7, 3), simulator(5, 4)],
};

const width = ([low, high]: readonly [number, number]): number => high - low;

describe('intervals over episodes', () => {
  it('hold the measures that they are of', () => {
    const [scores, intervals] = [collapseScores(panels, LIMITS), episodeIntervals(panels)];
    for (const measure of ['trainReturn', 'heldoutReturn', 'collapseGap', 'relativeGap'] as const) {
      const [low, high] = intervals[measure]!;
      expect(low, measure).toBeLessThan(scores[measure]!);
      expect(high, measure).toBeGreaterThan(scores[measure]!);
    }
  });

  it('take what a start does to all simulators out of their difference', () => {
    const { trainReturn, heldoutReturn, collapseGap } = episodeIntervals(panels);
    expect(width(collapseGap!)).toBeLessThan(width(trainReturn!) / 2);
    expect(width(collapseGap!)).toBeLessThan(width(heldoutReturn!) / 2);
  });

  it('are about 1.96 standard errors to either side', () => {
    const [low, high] = episodeIntervals({ train: [simulator(0, 1)], validation: [], test: [] }).trainReturn!;
    const { returns } = simulator(0, 1);
    const mean = returns.reduce((sum, value) => sum + value, 0) / EPISODES;
    const deviation = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (EPISODES - 1));
    expect(high - low).toBeCloseTo((2 * 1.96 * deviation) / Math.sqrt(EPISODES), 1);
  });

  it('are not given where nothing is held out, nothing was learnt, or there are fewer than five episodes', () => {
    const { train } = panels;
    expect(episodeIntervals({ ...panels, test: [] })).toMatchObject({ heldoutReturn: null, collapseGap: null });
    const untrained = train.map((each) => ({ ...each, randomReturns: each.returns }));
    expect(episodeIntervals({ ...panels, train: untrained }).relativeGap).toBeNull();
    const few = (panel: readonly ScoredSimulator[]) =>
      panel.map((each) => ({ ...each, returns: each.returns.slice(0, 4) }));
    expect(episodeIntervals({ train: few(train), validation: [], test: few(panels.test) })).toEqual({
      ...{ trainReturn: null, validationReturn: null, heldoutReturn: null, collapseGap: null, relativeGap: null },
    });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { selectFailures } from './select-failures.ts';

const episodesOf = (scores: readonly (readonly number[])[]) =>
  scores.flatMap((own, position) => own.map((score, episode) => ({ position, episode, score })));
const random = (seed = 0) => new RandomStream(keyFrom(seed));
const panels = fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 8 }), { maxLength: 5 });
const plans = fc.record({
  share: fc.double({ min: 0.05, max: 1, noNaN: true }),
  perSimulatorMax: fc.integer({ min: 1, max: 5 }),
});

describe('failures', () => {
  const episodes = episodesOf([
    [0.5, -3, 0.1, -2],
    [0.9, -1, 0.3, 0.2],
  ]);

  it('are the lowest share of all episodes, the worst first', () => {
    const lowest = selectFailures(episodes, { select: 'lowest', share: 0.5, perSimulatorMax: 9 }, random());
    expect(lowest.map(({ score }) => score)).toEqual([-3, -2, -1, 0.1]);
  });

  it('are no more than a simulator may have, and others do not take the place of what is left out', () => {
    const limited = selectFailures(episodes, { select: 'lowest', share: 0.5, perSimulatorMax: 1 }, random());
    expect(limited.map(({ score }) => score)).toEqual([-3, -1]);
  });

  it('are at least one wherever there is an episode, and none without', () => {
    expect(selectFailures(episodes, { select: 'lowest', share: 0.01, perSimulatorMax: 1 }, random())).toHaveLength(1);
    for (const select of ['lowest', 'random'] as const) {
      expect(selectFailures([], { select, share: 1, perSimulatorMax: 1 }, random())).toEqual([]);
    }
  });

  it('of equal scores come by simulator, then by episode', () => {
    const equal = episodesOf([
      [1, 1],
      [1, 1],
    ]).toReversed();
    const chosen = selectFailures(equal, { select: 'lowest', share: 0.75, perSimulatorMax: 2 }, random());
    expect(chosen.map(({ position, episode }) => [position, episode])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ]);
  });

  it('at random are as many, within the same limit, and each once', () => {
    fc.assert(
      fc.property(panels, plans, fc.integer(), (scores, plan, seed) => {
        const all = episodesOf(scores);
        const lowest = selectFailures(all, { ...plan, select: 'lowest' }, random());
        const drawn = selectFailures(all, { ...plan, select: 'random' }, random(seed));
        expect(drawn).toHaveLength(lowest.length);
        expect(new Set(drawn).size).toBe(drawn.length);
        for (const position of scores.keys()) {
          const own = drawn.filter((episode) => episode.position === position);
          expect(own.length).toBeLessThanOrEqual(plan.perSimulatorMax);
        }
        expect(drawn.map(({ score }) => score)).toEqual(drawn.map(({ score }) => score).sort((a, b) => a - b));
      }),
    );
  });

  it('at random are others under another seed, the same under the same, whatever the scores', () => {
    const plan = { select: 'random', share: 0.25, perSimulatorMax: 4 } as const;
    const chosen = (seed: number) => JSON.stringify(selectFailures(episodes, plan, random(seed)));
    expect(chosen(3)).toBe(chosen(3));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => chosen(seed))).size).toBeGreaterThan(5);
  });
});

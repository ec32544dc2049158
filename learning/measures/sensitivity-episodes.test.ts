import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeEpisodesMax, sensitivityEpisodes } from './sensitivity-episodes.ts';

const count = fc.integer({ min: 1, max: 2048 });

it('a change is played in as many episodes as an evaluation, in fewer on a large pool, and in ten at least', () => {
  expect([1, 8, 10, 40, 41, 1000].map((simulators) => sensitivityEpisodes(50, simulators))).toEqual([
    50, 50, 40, 10, 10, 10,
  ]);
  expect(sensitivityEpisodes(3, 1000)).toBe(3);
});

it('no pool up to the largest plays more on one change than is said beforehand', () => {
  fc.assert(
    fc.property(count, count, fc.double({ min: 0, max: 1, noNaN: true }), (episodes, simulatorsMax, share) => {
      const simulators = 1 + Math.floor(share * (simulatorsMax - 1));
      const played = simulators * sensitivityEpisodes(episodes, simulators);
      expect(played).toBeLessThanOrEqual(changeEpisodesMax(episodes, simulatorsMax));
    }),
  );
});

it('what is said beforehand is reached by a pool that divides 400, by a small one, and by a very large one', () => {
  for (const [episodes, simulators] of [
    [50, 8],
    [50, 2],
    [320, 100],
  ] as const) {
    expect(simulators * sensitivityEpisodes(episodes, simulators)).toBe(changeEpisodesMax(episodes, simulators));
  }
});

import { describe, expect, it } from 'vitest';
import { foldIn, type Key, keyFrom, PURPOSE } from '../../simulators/random.ts';
import { episodeKeys } from './episode-keys.ts';

const roundKey = keyFrom(4, PURPOSE.episode, 2);
const ENVIRONMENTS = Array.from({ length: 10 }, (_, environment) => environment);
const textOf = ({ high, low }: Key) => `${high} ${low}`;
const keysOf = (groupSize: number, episode = 0) =>
  ENVIRONMENTS.map((environment) => episodeKeys(roundKey, { environment, episode, groupSize }));

describe('the keys of episodes', () => {
  it('without groups are those of environment and number', () => {
    keysOf(1, 3).forEach(({ start, actions }, environment) => {
      expect(start).toEqual(foldIn(foldIn(roundKey, environment), 3));
      expect(actions).toEqual(foldIn(start, PURPOSE.actionSampling));
    });
  });

  it('start neighbours alike, the last group smaller, and let each act by itself', () => {
    const keys = keysOf(4);
    const starts = keys.map(({ start }) => textOf(start));
    expect(starts.map((start) => starts.indexOf(start))).toEqual([0, 0, 0, 0, 4, 4, 4, 4, 8, 8]);
    expect(keys.map(({ actions }) => actions)).toEqual(keysOf(1).map(({ actions }) => actions));
    expect(new Set(keys.map(({ actions }) => textOf(actions))).size).toBe(ENVIRONMENTS.length);
  });

  it('of the next episode are others', () => {
    const [first, second] = [0, 1].map((episode) => keysOf(4, episode).map(({ start }) => textOf(start)));
    expect(first!.some((start) => second!.includes(start))).toBe(false);
  });
});

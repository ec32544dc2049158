import { expect, it } from 'vitest';
import { moveTarget } from './target-parameters.ts';

const newest = Float32Array.of(4, -2);

it('a target network is made equal to the newest every so many steps and is left alone between', () => {
  const target = new Float32Array(2);
  const settings = { target_tau: null, target_update_interval: 3 };
  const moved = [1, 2, 3, 4].map((stepCount) => {
    moveTarget(target, newest, stepCount, settings);
    return [...target];
  });
  expect(moved).toEqual([[0, 0], [0, 0], [...newest], [...newest]]);
});

it('a target network that follows goes a share of the way at every step', () => {
  const target = new Float32Array(2);
  for (const stepCount of [1, 2]) {
    moveTarget(target, newest, stepCount, { target_tau: 0.25, target_update_interval: 1 });
  }
  expect([...target]).toEqual([...newest].map((value) => value * (1 - 0.75 ** 2)));
});

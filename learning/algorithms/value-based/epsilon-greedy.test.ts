import { expect, it } from 'vitest';
import { settingAt } from '../settings/schedule-settings.ts';
import { fillLargest, greedyLogProbabilities } from './epsilon-greedy.ts';

const ILLEGAL = -Infinity;

it('actions are tried out alike among the legal ones, and an illegal one never is', () => {
  const values = Float32Array.of(1, 3, ILLEGAL, 2, ILLEGAL, ILLEGAL, 0, -5, 4, 4, 4, 4);
  greedyLogProbabilities(values, 4, 0.3);
  const expected = [0.1, 0.8, 0, 0.1, 0, 0, 0.85, 0.15, 0.775, 0.075, 0.075, 0.075];
  values.forEach((logProbability, at) => expect(Math.exp(logProbability)).toBeCloseTo(expected[at]!, 6));
  for (const at of [2, 4, 5]) expect(values[at]).toBe(ILLEGAL);
});

it('nothing but the best is done once nothing is tried out any more', () => {
  const values = Float32Array.of(1, 3, 2);
  greedyLogProbabilities(values, 3, 0);
  expect([...values]).toEqual([-Infinity, 0, -Infinity]);
});

it('the value of a row is that of its best legal action', () => {
  const largest = new Float32Array(2);
  fillLargest(Float32Array.of(-1, ILLEGAL, -3, ILLEGAL, -7, ILLEGAL), largest);
  expect([...largest]).toEqual([-1, -7]);
});

it('what is tried out falls in a straight line over its share of the run, and stays', () => {
  const settings = { initial: 1, final: 0.2, schedule: 'linear', over: 0.4 } as const;
  const found = [0, 0.1, 0.2, 0.4, 0.7, 1].map((progress) => settingAt(settings, progress));
  [1, 0.8, 0.6, 0.2, 0.2, 0.2].forEach((value, at) => expect(found[at]).toBeCloseTo(value, 12));
});

import { expect, it } from 'vitest';
import { FAMILIES } from '../../simulators/registry.ts';
import type { Actor } from '../algorithms/contract.ts';
import { Indifference } from './indifference.ts';

const world = FAMILIES['simple_spread']!.open({ agents: 2, observe_velocities: true, communication_channel: false });
const parts = world.groups[0]!.observation;
const others = parts.filter(({ ofOthers }) => ofOthers);
const inputSize = world.groups[0]!.observationSize + 2;

/**
 * Actions 0 and 1 in the ratio of 1 to the sum of all that the row says of the others, or of all the rest, which is what
 * it remembers, too.
 */
function actorOf(looksAtOthers: boolean): Actor {
  const inputs = new Float32Array(3 * 2 * inputSize);
  const logits = new Float32Array(3 * 2 * 2);
  const memory = { size: 1, now: new Float32Array(6), next: new Float32Array(6) };
  const isOfOthers = (index: number): boolean =>
    others.some(({ offset, length }) => index >= offset && index < offset + length);
  const forward = async (): Promise<void> => {
    for (let row = 0; row < 6; row += 1) {
      const seen = inputs.subarray(row * inputSize, (row + 1) * inputSize);
      const sum = seen.reduce(
        (total, value, index) => (isOfOthers(index) === looksAtOthers ? total + value : total),
        0,
      );
      logits[2 * row + 1] = Math.log(sum);
      memory.next[row] = sum;
    }
  };
  return {
    rowCount: 6,
    inputs,
    masks: null,
    joint: null,
    memory,
    logits,
    values: null,
    forward,
    release: async () => undefined,
  };
}

/** Rows of three environments and two seats: every entry of a row is the same number. */
async function measured(looksAtOthers: boolean, rows: readonly number[], strangers: readonly number[]) {
  const actor = actorOf(looksAtOthers);
  rows.forEach((value, row) => actor.inputs.fill(value, row * inputSize, (row + 1) * inputSize));
  await actor.forward();
  const remembered = actor.memory!.next.slice();
  const indifference = new Indifference(world);
  const actions = { kind: 'discrete', count: 2 } as const;
  const acted = { group: 0, seats: [0, 1], inputSize, actions, actor, forward: () => actor.forward() };
  await indifference.add(acted, Int32Array.from(strangers), (environment) => (environment === 1 ? [1] : [0, 1]));
  return { value: indifference.value, before: remembered, after: actor.memory!.next };
}

const ROWS = [1, 2, 3, 4, 5, 6];
/** Of the others there are as many numbers, all alike. */
const COUNT = others.reduce((sum, { length }) => sum + length, 0);
const probability = (value: number): number => (COUNT * value) / (1 + COUNT * value);

it('compares a row with the same seat of another episode, where the seat learns and there is one', async () => {
  // Environment 0 sees the others of 2, and 1 those of 0; 2 has none to look at, and seat 0 of 1 does not learn.
  const pairs = [[1, 5], [2, 6], [4, 2]] as const; // prettier-ignore
  const moved = pairs.map(([own, strange]) => Math.abs(probability(own) - probability(strange)));
  const expected = 1 - moved.reduce((sum, value) => sum + value, 0) / pairs.length;
  expect((await measured(true, ROWS, [2, 0, -1])).value).toBeCloseTo(expected, 6);
});

it('changes nothing but what is marked as of the others', async () => {
  expect((await measured(false, ROWS, [2, 0, 1])).value).toBe(1);
});

it('is no number where there is nobody to compare with', async () => {
  expect((await measured(true, ROWS, [-1, -1, -1])).value).toBeNaN();
});

it('leaves what is remembered as it was without the exchange', async () => {
  const { before, after } = await measured(true, ROWS, [2, 0, 1]);
  expect([...before]).toEqual(ROWS.map((value) => COUNT * value));
  expect(after).toEqual(before);
});

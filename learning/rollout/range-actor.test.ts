import { expect, it } from 'vitest';
import type { Actor } from '../algorithms/contract.ts';
import { splitEnvironments } from './environment-range.ts';
import { createRangeActor } from './range-actor.ts';

const ENVIRONMENTS = 5;
const SEATS = 2;
const INPUTS = 3;
const ACTIONS = 4;
const JOINT = 7;

/** A forward pass whose outputs tell the row and its first input. */
function wholePass(rowCount: number): Actor {
  const actor = {
    rowCount,
    inputs: new Float32Array(rowCount * INPUTS),
    masks: new Uint8Array(rowCount * ACTIONS),
    joint: new Float32Array(ENVIRONMENTS * JOINT),
    memory: { size: 1, now: new Float32Array(rowCount), next: new Float32Array(rowCount) },
    logits: new Float32Array(rowCount * ACTIONS),
    values: new Float32Array(rowCount),
    forward: async () => {
      actor.values.forEach((_, row) => (actor.values[row] = 100 * row + actor.inputs[row * INPUTS]!));
      actor.logits.forEach((_, at) => (actor.logits[at] = at));
    },
    release: async () => undefined,
  };
  return actor;
}

it('a part of the environments is passed in its own rows of a pass over all', async () => {
  const [, range] = splitEnvironments(ENVIRONMENTS, 2);
  const rowCounts: number[] = [];
  const actor = await createRangeActor(range!, SEATS, async (rowCount) => {
    rowCounts.push(rowCount);
    return wholePass(rowCount);
  });
  expect(rowCounts).toEqual([ENVIRONMENTS * SEATS]);
  const rows = Array.from({ length: range!.count * SEATS }, (_, row) => range!.first * SEATS + row);
  expect(actor.rowCount).toBe(rows.length);
  rows.forEach((_, place) => (actor.inputs[place * INPUTS] = place + 1));
  await actor.forward();
  expect([...actor.values!]).toEqual(rows.map((row, place) => 100 * row + place + 1));
  expect([...actor.logits]).toEqual(
    rows.flatMap((row) => Array.from({ length: ACTIONS }, (_, action) => row * ACTIONS + action)),
  );
});

it('what a part is told and remembers lies in its own rows of the whole, too', async () => {
  const [, range] = splitEnvironments(ENVIRONMENTS, 2);
  let whole: Actor | null = null;
  const part = await createRangeActor(range!, SEATS, async (rowCount) => (whole = wholePass(rowCount)));
  const [first, last] = [range!.first * SEATS, (range!.first + range!.count) * SEATS];
  const arraysOf = ({ masks, joint, memory }: Actor) => [masks!, joint!, memory!.now, memory!.next] as const;
  arraysOf(part).forEach((array) => array.fill(1));
  const sizes = [ACTIONS, JOINT / SEATS, 1, 1];
  arraysOf(whole!).forEach((array, index) => {
    const expected = Array.from(array, (_, at) => Number(at >= first * sizes[index]! && at < last * sizes[index]!));
    expect([...array]).toEqual(expected);
  });
  expect(part.memory!.size).toBe(1);
});

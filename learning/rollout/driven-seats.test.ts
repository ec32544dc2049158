import { describe, expect, it, test } from 'vitest';
import { openSpread, scripted, simulatorOf } from '../../test/support/small-learning.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import { keyFrom } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { DrivenSeats, drivenSeatsOf, trainedSeats, trainedSeatsOf } from './driven-seats.ts';

const world = openSpread({ agents: 3 });
const { observationSize, seats, actions } = world.groups[0]!;

test('a seat is driven unless a scripted partner holds it in every simulator', () => {
  const self = simulatorOf(world, { partners: { 1: { kind: 'self' } } });
  const noop = simulatorOf(world, scripted(1, 'noop'));
  const random = simulatorOf(world, scripted(1, 'random'));
  expect(drivenSeatsOf(world, [noop, random])).toEqual([[0, 2]]);
  expect(drivenSeatsOf(world, [noop, self])).toEqual([[0, 1, 2]]);
  expect(drivenSeatsOf(world, [noop, simulatorOf(world, scripted(0, 'noop'))])).toEqual([[0, 1, 2]]);
});

test('a trained partner holds the seats of its kind, and no learner’s network acts there', () => {
  const plain = simulatorOf(world);
  const trained = { ...plain, partners: { 2: { kind: 'trained' }, 1: { kind: 'self' } } } as const;
  expect(trainedSeats(trained)).toEqual([2]);
  expect(trainedSeatsOf(world, [plain, trained])).toEqual([[2]]);
  expect(drivenSeatsOf(world, [trained])).toEqual([[0, 1]]);
});

describe.each(Object.values(FAMILIES))('a seat of $name', (family) => {
  const own = family.open(family.optionsSchema.parse({}));
  const trained = Object.fromEntries(Array.from({ length: own.seatCount }, (_, seat) => [seat, { kind: 'trained' }]));

  it('may be a trained partner’s, who acts from outside', () => {
    const simulator = { ...simulatorOf(own), partners: trained } as SimulatorData;
    const batch = own.createBatch(1);
    batch.reset(0, own.compile(simulator), keyFrom(0));
    expect([...batch.external]).toEqual(Array(own.seatCount).fill(1));
  });

  it('is given to a trained partner by strategies, never by a spec', () => {
    expect(own.simulatorSchema.safeParse({ partners: { 0: trained[0] } }).success).toBe(false);
    expect(own.simulatorSchema.safeParse({ partners: { 0: { kind: 'self' } } }).success).toBe(true);
  });
});

describe('rows of a forward pass', () => {
  const environmentCount = 2;
  const driven = [0, 2];

  function rowsWith(identitySize: number): number[][] {
    const inputSize = observationSize + identitySize;
    const policy = { group: 0, inputSize, identitySize, actions, isMasked: false, memorySize: 0 };
    const inputs = new Float32Array(environmentCount * driven.length * inputSize).fill(NaN);
    new DrivenSeats(world, policy, driven, environmentCount).observe(batch, inputs);
    return Array.from({ length: environmentCount * driven.length }, (_, row) => [
      ...inputs.subarray(row * inputSize, (row + 1) * inputSize),
    ]);
  }

  const batch = world.createBatch(environmentCount);
  for (let environment = 0; environment < environmentCount; environment += 1) {
    batch.reset(environment, world.compile(simulatorOf(world)), keyFrom(environment));
  }
  const observed = new Float32Array(environmentCount * seats.length * observationSize);
  batch.observe(0, observed);
  const observationOf = (environment: number, seat: number) => {
    const offset = (environment * seats.length + seat) * observationSize;
    return [...observed.subarray(offset, offset + observationSize)];
  };

  it('hold what the driven seats see, environment by environment', () => {
    expect(rowsWith(0)).toEqual([observationOf(0, 0), observationOf(0, 2), observationOf(1, 0), observationOf(1, 2)]);
  });

  it('end with a one-hot of the seat when the policy asks for it', () => {
    expect(rowsWith(seats.length)).toEqual([
      [...observationOf(0, 0), 1, 0, 0],
      [...observationOf(0, 2), 0, 0, 1],
      [...observationOf(1, 0), 1, 0, 0],
      [...observationOf(1, 2), 0, 0, 1],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { createActions } from '../../simulators/actions.ts';
import type { Batch, World } from '../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { openSpread, simulatorOf } from '../../test/support/small-learning.ts';
import type { Actor, PolicyDescription } from '../algorithms/contract.ts';
import { actionHead } from './action-head.ts';
import { JointObserver, jointSizeOf } from './joint-observer.ts';
import { SeatActor } from './seat-actor.ts';

const ENVIRONMENTS = 2;
const SEATS = [0, 2];
const ROWS = ENVIRONMENTS * SEATS.length;

const spread = openSpread({ agents: 3 });
const foraging = FAMILIES['foraging']!;
/** So narrow that some actions are illegal at once. */
const field = foraging.open(foraging.optionsSchema.parse({ players: 3, field_size: 5, food: 1 }));

function batchOf(world: World): Batch {
  const batch = world.createBatch(ENVIRONMENTS);
  for (let environment = 0; environment < ENVIRONMENTS; environment += 1) {
    batch.reset(environment, world.compile(simulatorOf(world)), keyFrom(environment));
  }
  return batch;
}

function policyOf(world: World, changes: Partial<PolicyDescription> = {}): PolicyDescription {
  const { observationSize, actions } = world.groups[0]!;
  return {
    group: 0,
    inputSize: observationSize,
    identitySize: 0,
    actions,
    isMasked: false,
    memorySize: 0,
    ...changes,
  };
}

/** Its outputs are 1, 2, 3, …; what it remembers goes up by 1 with every pass. Nothing is zero before it is used. */
function countingActor(world: World, policy: PolicyDescription, asksForJoint = false): Actor {
  const { outputSize } = actionHead(policy.actions);
  const size = policy.memorySize;
  const memory =
    size === 0 ? null : { size, now: new Float32Array(ROWS * size).fill(NaN), next: new Float32Array(ROWS * size) };
  const logits = new Float32Array(ROWS * outputSize);
  return {
    rowCount: ROWS,
    inputs: new Float32Array(ROWS * policy.inputSize),
    masks: policy.isMasked ? new Uint8Array(ROWS * outputSize).fill(9) : null,
    joint: asksForJoint ? new Float32Array(ENVIRONMENTS * jointSizeOf(world)).fill(NaN) : null,
    memory,
    logits,
    values: null,
    forward: async () => {
      logits.forEach((_, at) => (logits[at] = at + 1));
      memory?.now.forEach((value, at) => (memory.next[at] = value + 1));
    },
    release: async () => undefined,
  };
}

function seat(world: World, changes: Partial<PolicyDescription> = {}, asksForJoint = false) {
  const policy = policyOf(world, changes);
  const actor = countingActor(world, policy, asksForJoint);
  return new SeatActor({ world, policy, seats: SEATS, environmentCount: ENVIRONMENTS, actor });
}

const begun = Int32Array.of(0, 0);

describe('illegal actions', () => {
  const batch = batchOf(field);
  const { seats, actions } = field.groups[0]!;
  const { outputSize } = actionHead(actions);
  const all = new Uint8Array(ENVIRONMENTS * seats.length * outputSize);
  batch.actionMask!(0, all);
  const legal = [0, 1].flatMap((environment) =>
    SEATS.flatMap((each) => {
      const first = (environment * seats.length + each) * outputSize;
      return [...all.subarray(first, first + outputSize)];
    }),
  );

  it('are kept from a policy that is not told of them: their logits are −∞, the others are its own', async () => {
    const seated = seat(field);
    seated.observe(batch, begun);
    await seated.forward();
    expect([...seated.actor.logits]).toEqual(legal.map((isLegal, at) => (isLegal === 1 ? at + 1 : -Infinity)));
    expect(new Set(legal)).toEqual(new Set([0, 1]));
  });

  it('are told to a policy that asks for them, whose logits are left as they are', async () => {
    const seated = seat(field, { isMasked: true });
    seated.observe(batch, begun);
    await seated.forward();
    expect([...seated.actor.masks!]).toEqual(legal);
    expect([...seated.actor.logits]).toEqual(legal.map((_, at) => at + 1));
  });

  it('do not exist where a world has none', async () => {
    const seated = seat(spread);
    seated.observe(batchOf(spread), begun);
    await seated.forward();
    expect([...seated.actor.logits].every(Number.isFinite)).toBe(true);
  });
});

describe('what a policy remembers', () => {
  const memorySize = 3;
  const batch = batchOf(spread);
  /** What the rows of each environment remember, which is one number. */
  const remembered = ({ actor }: SeatActor): number[] => {
    const { now } = actor.memory!;
    return Array.from({ length: ENVIRONMENTS }, (_, environment) => {
      const part = now.length / ENVIRONMENTS;
      const numbers = new Set(now.subarray(environment * part, (environment + 1) * part));
      expect(numbers.size).toBe(1);
      return [...numbers][0]!;
    });
  };
  const look = async (seated: SeatActor, lengths: Int32Array): Promise<number[]> => {
    seated.observe(batch, lengths);
    await seated.forward();
    return remembered(seated);
  };

  it('goes from each step that was acted on to the next', async () => {
    const seated = seat(spread, { memorySize });
    for (const step of [0, 1, 2]) {
      expect(await look(seated, Int32Array.of(step, step))).toEqual([step, step]);
      seated.commit();
    }
  });

  it('is nothing where an episode begins, and stays where another goes on', async () => {
    const seated = seat(spread, { memorySize });
    for (const lengths of [begun, Int32Array.of(1, 1)]) {
      await look(seated, lengths);
      seated.commit();
    }
    expect(await look(seated, Int32Array.of(2, 0))).toEqual([2, 0]);
    seated.commit();
    expect(await look(seated, Int32Array.of(0, 1))).toEqual([0, 1]);
  });

  it('is not moved by a look on which nobody acted, however many there are', async () => {
    const seated = seat(spread, { memorySize });
    await look(seated, begun);
    seated.commit();
    // What followed the step is looked at before a reset, and again after it.
    for (let times = 0; times < 3; times += 1) expect(await look(seated, Int32Array.of(1, 1))).toEqual([1, 1]);
    await seated.forward();
    expect(remembered(seated)).toEqual([1, 1]);
    seated.commit();
    expect(await look(seated, Int32Array.of(2, 2))).toEqual([2, 2]);
  });
});

it('what all seats see is shown to an actor that asks for it, and to no other', () => {
  const batch = batchOf(spread);
  const seated = seat(spread, {}, true);
  seated.observe(batch, begun);
  const expected = new Float32Array(seated.actor.joint!.length);
  new JointObserver(spread, ENVIRONMENTS).observe(batch, expected);
  expect(seated.actor.joint).toEqual(expected);
  const other = seat(spread);
  other.observe(batch, begun);
  expect(other.actor.joint).toBeNull();
});

describe('the action of a row', () => {
  /** The same seats, with actions of a box. */
  const box = { kind: 'box', low: [-4], high: [0] } as const;
  const boxed: World = { ...spread, groups: spread.groups.map((group) => ({ ...group, actions: box })) };

  it.each([
    ['discrete', spread],
    ['of a box', boxed],
  ])(
    'that is %s is the best without chance, or is drawn from the stream, and is given as the world takes it',
    async (_, world) => {
      const seated = seat(world);
      const { head, actor } = seated;
      await seated.forward();
      const [drawn, expected] = [createActions(world, 1), createActions(world, 1)];
      const actions = createActions(world, 1);
      const random = new RandomStream(keyFrom(1));
      seated.choose('deterministic', 1, random, actions, 2);
      head.best(actor.logits, 1, drawn, 0);
      head.give(drawn, 0, expected, 2);
      expect(actions).toEqual(expected);
      // The stream is untouched, so that the draw is the first of it.
      seated.choose('sampled', 1, random, actions, 0);
      head.sample(actor.logits, 1, new RandomStream(keyFrom(1)), drawn, 0);
      head.give(drawn, 0, expected, 0);
      expect(actions).toEqual(expected);
    },
  );
});

import { afterEach, describe, expect, test } from 'vitest';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import type { World } from '../../simulators/contract.ts';
import { referenceOutputs } from '../../test/support/reference-executor.ts';
import { openSpread, trainingRound } from '../../test/support/small-learning.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from '../checkpoint.ts';
import { graphFromOutputs } from '../graph/graph.ts';
import { input } from '../graph/operators.ts';
import { trainRound } from '../training.ts';
import type { Actor, Learner, LearnerSetup } from './contract.ts';
import { maddpg } from './maddpg.ts';
import { criticValues } from './maddpg/critics.ts';
import { MaddpgNetworks } from './maddpg/networks.ts';

const executor = createOnnxExecutor();
const created: { release(): Promise<void> }[] = [];
afterEach(() => Promise.all(created.splice(0).map((each) => each.release())));

const small = { hidden_sizes: [16], parallel_environments: 8, minibatch_size: 32, updates_per_block: 3 };

function setupOf(world: World, settings: object, learners?: readonly number[]): LearnerSetup {
  const parameters = maddpg.parametersSchema(world).parse({ name: 'maddpg', ...small, ...settings });
  const all = Array.from({ length: world.seatCount }, (_, seat) => seat);
  return { world, learners: learners ?? all, parameters, executor, updateCount: 4, seed: 1, memberIndex: 0 };
}

async function createLearner(world: World, settings: object = {}): Promise<Learner> {
  const learner = await maddpg.createLearner(setupOf(world, settings));
  created.push(learner);
  return learner;
}

const openWorld = (family: string, options: object = {}): World =>
  FAMILIES[family]!.open(FAMILIES[family]!.optionsSchema.parse(options));

function fillRandomly(actor: Actor, key: number): void {
  const random = new RandomStream(keyFrom(key));
  for (const array of [actor.joint ?? [], actor.inputs]) array.forEach((_, at) => (array[at] = random.nextNormal()));
}

test('after a step a target has gone its share of the way to the newest weights', async () => {
  const world = openSpread({ agents: 2 });
  const learner = await createLearner(world, { updates_per_block: 1, target_tau: 0.25 });
  const arraysOf = (): Record<string, ArrayLike<number>> => checkpointFromBytes(learner.save()).arrays;
  const before = arraysOf();
  await trainRound(trainingRound(world, learner, { updateCount: 1 }));
  const after = arraysOf();
  for (const network of ['actor0', 'critics0']) {
    const [from, newest, target] = [
      before[`${network}.target`]!,
      after[`${network}.parameters`]!,
      after[`${network}.target`]!,
    ];
    expect(before[`${network}.parameters`]).toEqual(from);
    expect(newest).not.toEqual(from);
    for (let at = 0; at < from.length; at += 1) {
      expect(target[at]).toBeCloseTo(0.75 * from[at]! + 0.25 * newest[at]!, 6);
    }
  }
});

describe('values', () => {
  const world = openSpread({ agents: 3 });
  const options = { values: true, explores: false, environmentCount: 4 };

  /** An actor of seats of the group, told who they are, in states that are the same for all. */
  async function actorOf(networks: MaddpgNetworks, seats: readonly number[]): Promise<Actor> {
    const actor = await networks.createActor(0, 4 * seats.length, options, () => 0);
    fillRandomly(actor, 3);
    const { inputSize, identitySize } = networks.policies[0]!;
    const size = inputSize - identitySize;
    for (let row = 0; row < actor.rowCount; row += 1) {
      const [environment, seat] = [Math.floor(row / seats.length), seats[row % seats.length]!];
      const seen = actor.joint!.subarray((3 * environment + seat) * size, (3 * environment + seat + 1) * size);
      actor.inputs.set(
        [...seen, ...[0, 1, 2].slice(0, identitySize).map((other) => (other === seat ? 1 : 0))],
        row * inputSize,
      );
    }
    await actor.forward();
    return actor;
  }

  test.each(['group', 'none'])('are those of what all learners do at best (sharing: %s)', async (sharing) => {
    const networks = new MaddpgNetworks(setupOf(world, { parameter_sharing: sharing }));
    created.push(networks);
    const { group, critics } = networks.learning[0]!;
    const actor = await actorOf(networks, [0, 1, 2]);
    const best = Float32Array.from({ length: 4 * 15 }, (_, at) => {
      const row = actor.logits.subarray(5 * Math.floor(at / 5), 5 * Math.floor(at / 5) + 5);
      return row.indexOf(Math.max(...row)) === at % 5 ? 1 : 0;
    });
    const [joint, actions] = [input('joint', [4, actor.joint!.length / 4]), input('actions', [4, 15])];
    const flat = input('critics', [critics.newest.length]);
    const values = criticValues(group.critics, flat, { joint, actions, changes: null });
    const expected = referenceOutputs(graphFromOutputs({ values }), {
      ...{ joint: actor.joint!, actions: best, critics: critics.newest },
    })['values']!;
    actor.values!.forEach((value, row) => expect(value).toBeCloseTo(expected[row]!, 4));
  });

  test('of a seat are the same whoever else has a row', async () => {
    const networks = new MaddpgNetworks(setupOf(world, {}));
    created.push(networks);
    const [all, some] = [await actorOf(networks, [0, 1, 2]), await actorOf(networks, [2])];
    some.values!.forEach((value, row) => expect(value).toBeCloseTo(all.values![3 * row + 2]!, 5));
  });

  test('of a seat that does not learn are 0', async () => {
    const networks = new MaddpgNetworks(setupOf(world, {}, [0, 1]));
    created.push(networks);
    const { values } = await actorOf(networks, [1, 2]);
    expect([...values!.keys()].filter((row) => (values![row] === 0) !== (row % 2 === 1))).toEqual([]);
  });
});

test('what is illegal has probability 0 before training and after, also where actions are random', async () => {
  const world = openWorld('foraging');
  const learner = await createLearner(world, { exploration: { initial: 0.5, final: 0.5 } });
  const rowCount = world.groups[0]!.seats.length;
  const options = { values: true, explores: true, environmentCount: 1 };
  for (let round = 0; round < 2; round += 1) {
    const actor = await learner.createActor(0, rowCount, options);
    fillRandomly(actor, round);
    actor.masks!.forEach((_, at) => (actor.masks![at] = at % 3 === 1 ? 0 : 1));
    await actor.forward();
    actor.masks!.forEach((mask, at) => {
      expect(actor.logits[at]! > -Infinity).toBe(mask === 1);
      if (mask === 1) expect(Math.exp(actor.logits[at]!)).toBeGreaterThan(0.5 / 6 - 1e-6);
    });
    expect([...actor.values!].every(Number.isFinite)).toBe(true);
    await trainRound(trainingRound(world, learner, { updateCount: 1, roundIndex: round }));
    expect(learner.divergence).toBeNull();
  }
});

test('learners of both roles are improved, each group by its own critics of everybody’s actions', async () => {
  const world = openWorld('simple_tag');
  const learner = await createLearner(world, { observation_normalization: true });
  const before = checkpointFromBytes(learner.save()).arrays;
  const { metrics } = await trainRound(trainingRound(world, learner, { updateCount: 2 }));
  const after = checkpointFromBytes(learner.save()).arrays;
  for (const group of world.groups.keys()) {
    for (const network of [`actor${group}`, `critics${group}`]) {
      expect(after[`${network}.parameters`]).not.toEqual(before[`${network}.parameters`]);
    }
    expect(metrics[`group${group}.policy_loss`]).toBeTypeOf('number');
  }
});

test('numbers of a box are drawn around what the actor says, ever closer', async () => {
  const world = openWorld('simple_spread', { agents: 2, continuous_actions: true });
  const settings = { action_deviation: { initial: 0.4, final: 0.1 } };
  const learner = await createLearner(world, { ...settings, replay: { capacity: 500, prioritized: {} }, n_step: 3 });
  const deviations: number[] = [];
  for (let round = 0; round <= 4; round += 1) {
    const actor = await learner.createActor(0, 2, { values: true, explores: true, environmentCount: 1 });
    fillRandomly(actor, 5);
    await actor.forward();
    const size = actor.logits.length / 4;
    for (const row of [0, 1]) {
      const [means, logDeviations] = [0, size].map((from) =>
        actor.logits.subarray(2 * size * row + from, 2 * size * row + from + size),
      );
      expect([...means!].every((mean) => Math.abs(mean) <= 1)).toBe(true);
      expect(new Set(logDeviations).size).toBe(1);
      if (row === 0) deviations.push(Math.exp(logDeviations![0]!));
    }
    if (round < 4) await trainRound(trainingRound(world, learner, { updateCount: 1, roundIndex: round }));
  }
  expect(learner.divergence).toBeNull();
  deviations.forEach((deviation, round) => expect(deviation).toBeCloseTo(0.4 - (0.3 * round) / 4, 6));
});

test('a step that is not finite does not happen, and another state is a new start', async () => {
  const world = openSpread({ agents: 2 });
  const learner = await createLearner(world);
  const before = learner.save();
  const { arrays } = checkpointFromBytes(before);
  for (const name of ['critics0.parameters', 'critics0.target']) (arrays[name] as Float32Array).fill(1e20);
  await learner.load(bytesFromCheckpoint({ ...checkpointFromBytes(before), arrays }));
  await trainRound(trainingRound(world, learner, { updateCount: 1 }));
  expect(learner.divergence).toMatchObject({ optimizerStep: 0, what: 'value_loss', lastFinite: {} });
  expect(checkpointFromBytes(learner.save()).arrays['critics0.parameters']).toEqual(arrays['critics0.parameters']);
  await learner.load(before);
  expect(learner.divergence).toBeNull();
  await trainRound(trainingRound(world, learner, { updateCount: 1 }));
  expect(learner.divergence).toBeNull();
});

test('the steps before a divergence are those that all groups took', async () => {
  const world = openWorld('simple_tag');
  const learner = await createLearner(world);
  const { header, arrays } = checkpointFromBytes(learner.save());
  for (const name of ['critics1.parameters', 'critics1.target']) (arrays[name] as Float32Array).fill(1e20);
  await learner.load(bytesFromCheckpoint({ header, arrays }));
  await trainRound(trainingRound(world, learner, { updateCount: 1 }));
  expect(learner.divergence).toMatchObject({ optimizerStep: 0, what: 'group1.value_loss' });
});

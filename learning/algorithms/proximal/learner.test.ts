import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../../infra/onnx/executor.ts';
import type { World } from '../../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { FAMILIES } from '../../../simulators/registry.ts';
import { openSpread, trainingRound } from '../../../test/support/small-learning.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from '../../checkpoint.ts';
import { jointSizeOf } from '../../rollout/joint-observer.ts';
import { createRollout, type Rollout, STEP_CONTINUES, STEP_TRUNCATED } from '../../rollout/rollout-buffer.ts';
import { trainRound } from '../../training.ts';
import type { Algorithm, Learner } from '../contract.ts';
import { ippo } from '../ippo.ts';
import { mappo } from '../mappo.ts';
import { ppo } from '../ppo.ts';

const executor = createOnnxExecutor();
const spread = openSpread({ agents: 3, episode_steps: 5 });
const created: Learner[] = [];
afterEach(() => Promise.all(created.splice(0).map((learner) => learner.release())));

interface Made {
  readonly world?: World;
  readonly algorithm?: Algorithm;
  readonly learners?: readonly number[];
  readonly lacks?: readonly string[];
}

async function createLearner(settings: object, made: Made = {}): Promise<Learner> {
  const { world = spread, algorithm = ippo, learners = [0, 1, 2], lacks = [] } = made;
  const whole = algorithm.parametersSchema(world).parse({ name: algorithm.name, hidden_sizes: [8], ...settings });
  const kept = Object.entries(whole).filter(([key]) => !lacks.includes(key));
  const learner = await algorithm.createLearner({
    ...{ world, learners, executor, updateCount: 4, seed: 0, memberIndex: 0 },
    parameters: Object.fromEntries(kept) as unknown as typeof whole,
  });
  created.push(learner);
  return learner;
}

const hashOf = (learner: Learner): string => createHash('sha256').update(learner.save()).digest('hex');
const parametersOf = (learner: Learner) => checkpointFromBytes(learner.save()).arrays['0.parameters']!;

/** Invented experience of the first group. */
function inventedRollout(learner: Learner, world: World, stepCount: number, seats: readonly number[]): Rollout {
  const size = { stepCount, environmentCount: 3, seats, jointSize: jointSizeOf(world) };
  const rollout = createRollout(learner.policies[0]!, size, learner.needs);
  const random = new RandomStream(keyFrom(3));
  for (const array of [rollout.inputs, rollout.rewards, rollout.values, rollout.nextValues]) {
    array.forEach((_, at) => (array[at] = random.nextNormal()));
  }
  rollout.actions.forEach((_, at) => (rollout.actions[at] = random.nextInteger(5)));
  rollout.logProbabilities.fill(Math.log(1 / 5));
  rollout.learning.fill(1);
  return rollout;
}

const updateWith = (learner: Learner, rollout: Rollout) =>
  learner.update({
    rollouts: [rollout],
    played: new Int32Array((rollout.stepCount * rollout.rowCount) / rollout.seats.length),
    simulators: ['invented'],
  });

describe('actions that are illegal', () => {
  const family = FAMILIES['foraging']!;
  const field = family.open(family.optionsSchema.parse({ players: 2, field_size: 5, food: 1 }));

  it('are never taken, before and after updates, and nothing is learnt about them', async () => {
    const learner = await createLearner({ parallel_environments: 8 }, { world: field, learners: [0, 1] });
    const round = trainingRound(field, learner, { learners: [0, 1], updateCount: 2 });
    await trainRound(round);
    const actor = await learner.createActor(0, 2, { values: false, explores: true, environmentCount: 1 });
    actor.masks!.forEach((_, at) => (actor.masks![at] = at % 3 === 0 ? 0 : 1));
    await actor.forward();
    actor.logits.forEach((logit, at) => expect(Number.isFinite(logit)).toBe(at % 3 !== 0));
    expect(learner.divergence).toBeNull();
  });

  it('do not move the last layer of the policy where they are illegal everywhere', async () => {
    const learner = await createLearner({ learning_rate: 0.01 }, { world: field, learners: [0, 1] });
    const rollout = inventedRollout(learner, field, 6, [0, 1]);
    rollout.masks!.forEach((_, at) => (rollout.masks![at] = at % 6 === 5 ? 0 : 1));
    const bias = (): number[] => {
      const graph = learner.policyGraph(0);
      expect(graph.inputs.map(({ name }) => name)).toContain('action_mask');
      // Layout: 0.weight, 0.bias, 1.weight [8 6], 1.bias [6] of the actor come first.
      const end = learner.policies[0]!.inputSize * 8 + 8 + 8 * 6 + 6;
      return [...parametersOf(learner).subarray(end - 6, end)];
    };
    const before = bias();
    await updateWith(learner, rollout);
    const after = bias();
    expect(after[5]).toBe(before[5]);
    expect(after.slice(0, 5)).not.toEqual(before.slice(0, 5));
  });
});

describe('actions that are numbers of a box', () => {
  const boxes = openSpread({ agents: 2, episode_steps: 5, continuous_actions: true });
  const { actions, observationSize } = boxes.groups[0]!;

  it.each(['group', 'none'])('are learnt, with a deviation for each number: parameter_sharing %s', async (sharing) => {
    const made = { world: boxes, learners: [0, 1], algorithm: mappo };
    const learner = await createLearner({ parameter_sharing: sharing, parallel_environments: 8 }, made);
    await trainRound(trainingRound(boxes, learner));
    expect(learner.divergence).toBeNull();
    const actor = await learner.createActor(0, 2, { values: false, explores: false, environmentCount: 1 });
    const size = actions.kind === 'box' ? actions.low.length : 0;
    for (const seat of [0, 1]) actor.inputs[seat * (observationSize + 2) + observationSize + seat] = 1;
    await actor.forward();
    const deviations = [0, 1].map((seat) => [...actor.logits.slice((2 * seat + 1) * size, (2 * seat + 2) * size)]);
    deviations.flat().forEach((each) => {
      expect(each).not.toBe(-0.5);
      expect(each).toBeCloseTo(-0.5, 0);
    });
    if (sharing === 'group') expect(deviations[1]).toEqual(deviations[0]);
    else expect(deviations[1]).not.toEqual(deviations[0]);
    expect(learner.policyGraph(0).outputs.map(({ name }) => name)).toEqual(['action', 'mean', 'log_std']);
  });
});

describe('a central critic', () => {
  it('sees what the others see, and the actor does not', async () => {
    const learner = await createLearner({}, { algorithm: mappo });
    const actor = await learner.createActor(0, 6, { values: true, explores: true, environmentCount: 2 });
    actor.inputs.fill(0.3);
    const played = async () => {
      await actor.forward();
      return { logits: [...actor.logits], values: [...actor.values!] };
    };
    const before = await played();
    actor.joint!.fill(1, 0, actor.joint!.length / 2);
    const after = await played();
    expect(after.logits).toEqual(before.logits);
    expect(after.values.slice(3)).toEqual(before.values.slice(3));
    after.values.slice(0, 3).forEach((value, seat) => expect(value).not.toBe(before.values[seat]));
  });

  it('is asked for nothing where only actions are wanted', async () => {
    const learner = await createLearner({}, { algorithm: mappo });
    expect((await learner.createActor(0, 3, { values: false, explores: false, environmentCount: 1 })).joint).toBeNull();
  });
});

describe('sequences', () => {
  const recurrent = (steps: number) => ({ recurrent: { units: 6, sequence_steps: steps } });
  const STEPS = 4;

  /** A block whose memories are those that the learner has when it plays it. */
  async function remembered(learner: Learner, ends: (sample: number) => number): Promise<Rollout> {
    const rollout = inventedRollout(learner, spread, STEPS, [0, 1, 2]);
    rollout.ends.forEach((_, at) => (rollout.ends[at] = ends(at)));
    const { rowCount, inputSize } = rollout;
    const actor = await learner.createActor(0, rowCount, { values: true, explores: true, environmentCount: 3 });
    const { size, now, next } = actor.memory!;
    for (let step = 0; step < STEPS; step += 1) {
      actor.inputs.set(rollout.inputs.subarray(step * rowCount * inputSize, (step + 1) * rowCount * inputSize));
      rollout.memory!.set(now, step * rowCount * size);
      await actor.forward();
      now.set(next);
      for (let row = 0; row < rowCount; row += 1) {
        if (rollout.ends[step * rowCount + row] !== STEP_CONTINUES) now.fill(0, row * size, (row + 1) * size);
      }
    }
    return rollout;
  }

  it.each([
    ['one long episode', () => STEP_CONTINUES],
    ['episodes that end within them', (sample: number) => (sample % 4 === 0 ? STEP_TRUNCATED : STEP_CONTINUES)],
  ])('have the losses of single steps whose memories were recorded, however long they are: %s', async (_, ends) => {
    // One minibatch and no step: the losses are those of the weights that played.
    const settings = { epochs: 1, learning_rate: 1e-12 };
    const single = await createLearner({ ...settings, ...recurrent(1) });
    const expected = await updateWith(single, await remembered(single, ends));
    for (const steps of [2, 3, 4]) {
      const learner = await createLearner({ ...settings, ...recurrent(steps) });
      const found = await updateWith(learner, await remembered(learner, ends));
      for (const name of ['policy_loss', 'value_loss', 'entropy', 'approximate_kl', 'clip_fraction']) {
        expect(found[name], `${name} of ${steps} steps`).toBeCloseTo(expected[name]!, 5);
      }
      expect(found['gradient_norm']).not.toBe(expected['gradient_norm']);
    }
  });

  it('give the same bytes in whatever chunks their grains are computed', async () => {
    const trained = async (chunkRows: number) => {
      const parameters = ippo.parametersSchema(spread).parse({
        ...{ name: 'ippo', hidden_sizes: [8], minibatch_size: 28, gradient_grain: 9, ...recurrent(4) },
      });
      const setup = { world: spread, learners: [0, 1, 2], parameters, executor, chunkRows };
      const learner = await ippo.createLearner({ ...setup, updateCount: 4, seed: 0, memberIndex: 0 });
      created.push(learner);
      await updateWith(
        learner,
        await remembered(learner, (sample) => (sample % 5 === 0 ? STEP_TRUNCATED : STEP_CONTINUES)),
      );
      return hashOf(learner);
    };
    expect(await trained(8)).toBe(await trained(28));
  });
});

describe('a learner that diverges', () => {
  it('stops at the first number that is not finite, and keeps the weights of the step before', async () => {
    const learner = await createLearner({ parallel_environments: 4 });
    const metrics = await updateWith(learner, inventedRollout(learner, spread, 5, [0, 1, 2]));
    const before = parametersOf(learner);
    const rollout = inventedRollout(learner, spread, 5, [0, 1, 2]);
    rollout.rewards[7] = Infinity;
    await updateWith(learner, rollout);
    const steps = checkpointFromBytes(learner.save()).arrays['0.stepCount']![0]!;
    expect(learner.divergence).toEqual({ optimizerStep: steps, what: 'policy_loss', lastFinite: metrics });
    expect(parametersOf(learner)).toEqual(before);
  });

  it('says when its weights are not finite after an update', async () => {
    const learner = await createLearner({ optimizer: 'sgd', learning_rate_schedule: 'constant' });
    const { header, arrays } = checkpointFromBytes(learner.save());
    arrays['0.parameters']!.fill(NaN, 0, 1);
    await learner.load(bytesFromCheckpoint({ header, arrays }));
    await updateWith(learner, inventedRollout(learner, spread, 5, [0, 1, 2]));
    expect(learner.divergence).not.toBeNull();
  });
});

describe('what is older', () => {
  it('is read: parameters without the present keys are trained as before there were such', async () => {
    const lacks = ['recurrent', 'value_clip', 'entropy_schedule', 'optimizer', 'parameter_sharing', 'transfer'];
    const [former, present] = [await createLearner({}, { lacks }), await createLearner({})];
    for (const learner of [former, present]) {
      await trainRound(trainingRound(spread, learner, { updateCount: 1 }));
    }
    expect(hashOf(former)).toBe(hashOf(present));
  });

  it('is read: a checkpoint whose moments of values stood beside the optimizer’s steps', async () => {
    const [learner, other] = [await createLearner({}), await createLearner({ gamma: 0.9 })];
    await trainRound(trainingRound(spread, learner, { updateCount: 1 }));
    const { header, arrays } = checkpointFromBytes(learner.save());
    const { '0.stepCount': stepCount, '0.values': values, ...others } = arrays;
    const former = { ...others, '0.scalars': Float64Array.of(...stepCount!, ...values!) };
    await other.load(bytesFromCheckpoint({ header, arrays: former }));
    expect(hashOf(other)).toBe(hashOf(learner));
  });
});

it('the weight of the entropy goes along its schedule', async () => {
  const learner = await createLearner({
    ...{ entropy_schedule: 'linear', entropy_coefficient: 0.1, entropy_coefficient_final: 0.02 },
  });
  for (const expected of [0.1, 0.08, 0.06]) {
    const metrics = await updateWith(learner, inventedRollout(learner, spread, 5, [0, 1, 2]));
    expect(metrics['entropy_coefficient']).toBeCloseTo(expected, 12);
  }
});

it('PPO of one seat is independent PPO of that seat', async () => {
  const [one, independent] = await Promise.all(
    [ppo, ippo].map((algorithm) => createLearner({}, { algorithm, learners: [1] })),
  );
  for (const learner of [one!, independent!]) {
    await trainRound(trainingRound(spread, learner, { learners: [1], updateCount: 1 }));
  }
  expect(parametersOf(one!)).toEqual(parametersOf(independent!));
  expect(ppo.learnersMax).toBe(1);
});

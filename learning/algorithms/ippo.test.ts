import { afterEach, describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { openSpread, trainingRound } from '../../test/support/small-learning.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from '../checkpoint.ts';
import { trainRound } from '../training.ts';
import type { Learner } from './contract.ts';
import { ippo } from './ippo.ts';

const world = openSpread({ agents: 3, episode_steps: 5 });
const created: Learner[] = [];
afterEach(() => Promise.all(created.splice(0).map((learner) => learner.release())));

async function createLearner(settings: object, learners = [0, 1, 2], updateCount = 4): Promise<Learner> {
  const parameters = ippo.parametersSchema(world).parse({ name: 'ippo', hidden_sizes: [8], ...settings });
  const learner = await ippo.createLearner({
    world,
    learners,
    parameters,
    executor: createOnnxExecutor(),
    updateCount,
    seed: 0,
    memberIndex: 0,
  });
  created.push(learner);
  return learner;
}

/** The learning rate of each of the first updates. */
async function learningRates(learner: Learner, count: number): Promise<number[]> {
  const rates: number[] = [];
  for (let roundIndex = 0; roundIndex < count; roundIndex += 1) {
    const { metrics } = await trainRound(trainingRound(world, learner, { roundIndex, updateCount: 1 }));
    rates.push(metrics['learning_rate']!);
  }
  return rates;
}

describe('the learning rate', () => {
  const learningRate = 0.01;

  it('falls linearly to 0, where the policy stays as it is', async () => {
    const learner = await createLearner({ learning_rate: learningRate });
    const rates = await learningRates(learner, 4);
    rates.forEach((rate, update) => expect(rate).toBeCloseTo(learningRate * (1 - update / 4), 12));
    const logits = await logitsOf(learner);
    expect(await learningRates(learner, 2)).toEqual([0, 0]);
    expect(await logitsOf(learner)).toEqual(logits);
  });

  it('stays what it is when the schedule is constant', async () => {
    const learner = await createLearner({ learning_rate: learningRate, learning_rate_schedule: 'constant' });
    expect(await learningRates(learner, 5)).toEqual(Array(5).fill(learningRate));
  });

  it('goes on from a checkpoint where it was', async () => {
    const uninterrupted = await createLearner({ learning_rate: learningRate });
    const rates = await learningRates(uninterrupted, 2);
    const resumed = await createLearner({ learning_rate: learningRate });
    await resumed.load(uninterrupted.save());
    rates.push(...(await learningRates(uninterrupted, 1)));
    expect(await learningRates(resumed, 1)).toEqual([rates[2]]);
  });
});

async function logitsOf(learner: Learner): Promise<number[]> {
  const actor = await learner.createActor(0, 2, { values: false, explores: false, environmentCount: 1 });
  actor.inputs.forEach((_, index) => (actor.inputs[index] = Math.sin(index)));
  await actor.forward();
  return [...actor.logits];
}

describe('the identity of a seat', () => {
  const { observationSize, seats, actions } = world.groups[0]!;
  const others = { group: 0, actions, isMasked: false, memorySize: 0 };

  it('is an input where several learners share the network', async () => {
    const { policies } = await createLearner({}, [0, 2]);
    expect(policies).toEqual([{ ...others, inputSize: observationSize + seats.length, identitySize: seats.length }]);
  });

  it('is none where one learner is alone, or where it is switched off', async () => {
    const plain = [{ ...others, inputSize: observationSize, identitySize: 0 }];
    expect((await createLearner({}, [1])).policies).toEqual(plain);
    expect((await createLearner({ seat_identity: false })).policies).toEqual(plain);
  });
});

it('takes the samples of every update in an order of its own', async () => {
  const learner = await createLearner({ learning_rate_schedule: 'constant', minibatch_size: 16 });
  const { header, arrays } = checkpointFromBytes(learner.save());
  const parametersAfter = async (updateIndex: number) => {
    await learner.load(bytesFromCheckpoint({ header: { ...header, updateIndex }, arrays }));
    await trainRound(trainingRound(world, learner, { updateCount: 1 }));
    return checkpointFromBytes(learner.save()).arrays['0.parameters'];
  };
  const first = await parametersAfter(0);
  expect(await parametersAfter(1)).not.toEqual(first);
  expect(await parametersAfter(0)).toEqual(first);
});

it('begins with a nearly uniform policy', async () => {
  const logits = await logitsOf(await createLearner({}));
  expect(Math.max(...logits.map(Math.abs))).toBeLessThan(0.1);
  expect(new Set(logits).size).toBeGreaterThan(1);
});

it('normalises values, and reads them in units of return', async () => {
  // After some updates on returns far from 0 the critic's mean must have moved there, head and scale together.
  const valueOf = async (settings: object): Promise<number> => {
    const learner = await createLearner({ learning_rate: 1e-9, ...settings });
    for (let roundIndex = 0; roundIndex < 3; roundIndex += 1) {
      await trainRound(trainingRound(world, learner, { roundIndex, updateCount: 1 }));
    }
    const actor = await learner.createActor(0, 1, { values: true, explores: false, environmentCount: 1 });
    await actor.forward();
    return actor.values![0]!;
  };
  const normalised = await valueOf({ value_normalization: 'popart' });
  const plain = await valueOf({ value_normalization: 'none' });
  // The rescaled head predicts what it did before: normalisation alone changes no prediction.
  expect(normalised).toBeCloseTo(plain, 4);
});

import { describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { openSpread, trainingRound } from '../../test/support/small-learning.ts';
import type { Learner } from '../algorithms/contract.ts';
import { ALGORITHMS } from '../algorithms/registry.ts';
import { trainRound } from '../training.ts';
import type { InitialWeights } from './initial-weights.ts';
import { arrayOf } from './named-weights.ts';

// What transfer promises of every algorithm, which is tested by being in the registry.

const world = openSpread({ agents: 2 });
const executor = createOnnxExecutor();

describe.each(Object.values(ALGORITHMS))('$name', (algorithm) => {
  const learners = Array.from({ length: algorithm.learnersMax ?? world.seatCount }, (_, seat) => seat);

  function createLearner(seed: number, initial?: InitialWeights): Promise<Learner> {
    const parameters = algorithm
      .parametersSchema(world)
      .parse({ name: algorithm.name, parallel_environments: 8, hidden_sizes: [8], warmup: 0 });
    const setup = { world, learners, parameters, executor, updateCount: 8, seed, memberIndex: 0 };
    return algorithm.createLearner({ ...setup, initial: [initial ?? null] });
  }

  it('starts from the weights of a policy, and leaves frozen layers as they are', async () => {
    const source = await createLearner(1);
    const { weights } = source.policyGraph(0);
    const names = Object.keys(weights.layout);
    const frozen = names[0]!.slice(0, names[0]!.lastIndexOf('.'));
    const learner = await createLearner(2, { origin: 'the policy', weights, frozen: [frozen] });
    expect(learner.policyGraph(0).weights).toEqual(weights);
    for (const roundIndex of [0, 1, 2]) {
      await trainRound(trainingRound(world, learner, { learners, roundIndex }));
      learner.replay?.seal();
    }
    const after = learner.policyGraph(0).weights;
    const isKept = (name: string): boolean => name.startsWith(`${frozen}.`);
    expect(names.filter(isKept).length).toBeGreaterThan(0);
    for (const name of names.filter(isKept)) expect(arrayOf(after, name)).toEqual(arrayOf(weights, name));
    expect(names.some((name) => !isKept(name) && arrayOf(after, name).join() !== arrayOf(weights, name).join())).toBe(
      true,
    );
    await Promise.all([source.release(), learner.release()]);
  });
});

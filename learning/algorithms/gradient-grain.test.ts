import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { openSpread, trainingRound } from '../../test/support/small-learning.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { trainRound } from '../training.ts';
import { createActorCritic, initialParameters } from './actor-critic.ts';
import type { Learner } from './contract.ts';
import { gradientRows } from './gradient-rows.ts';
import type { IppoParameters } from './ippo-parameters.ts';
import { ippo } from './ippo.ts';
import { ppoChunkGraph, SAMPLE_COLUMNS } from './ppo-graphs.ts';
import { PPO_DIAGNOSTICS } from './ppo-loss.ts';

const executor = createOnnxExecutor();
const world = openSpread({ agents: 3, episode_steps: 5 });
const created: Learner[] = [];
afterEach(() => Promise.all(created.splice(0).map((learner) => learner.release())));

/** An update has 80 rows of two learners: two minibatches of 40, each padded to 70. */
const settings = { hidden_sizes: [9], parallel_environments: 8, minibatch_size: 70 };

const parametersOf = (changes: object) =>
  ippo.parametersSchema(world).parse({ name: 'ippo', ...settings, ...changes }) as IppoParameters;

/** A name for the bytes and the numbers that training gives. */
async function trained(changes: object, chunkRows: number | undefined): Promise<string> {
  const learner = await ippo.createLearner({
    world,
    learners: [0, 2],
    parameters: parametersOf(changes),
    executor,
    chunkRows,
    updateCount: 3,
    seed: 0,
    memberIndex: 0,
  });
  created.push(learner);
  const { metrics } = await trainRound(trainingRound(world, learner, { learners: [0, 2], updateCount: 3 }));
  expect(learner.divergence).toBeNull();
  return createHash('sha256').update(learner.save()).update(JSON.stringify(metrics)).digest('hex');
}

describe('the size of a chunk', () => {
  // Grains that divide the minibatch and that do not, and more of them than are computed at once; chunks of one grain, of
  // some, of half the rows, and of fewer than a grain.
  it.each([
    [10, [10, 31, 35, 1]],
    [23, [23, 46]],
    [2, [2]],
  ])('changes no byte where a grain has %i rows', async (grain, chunks) => {
    const whole = await trained({ gradient_grain: grain }, undefined);
    for (const chunkRows of chunks) expect(await trained({ gradient_grain: grain }, chunkRows)).toBe(whole);
  });

  it('changes nothing where a grain is the whole minibatch', async () => {
    const whole = await trained({}, undefined);
    expect(await trained({}, 10)).toBe(whole);
    expect(await trained({ gradient_grain: 70 }, 10)).toBe(whole);
    expect(await trained({ gradient_grain: 35 }, undefined)).not.toBe(whole);
  });
});

describe('the gradient in grains', () => {
  const sampleCount = 96;
  const network = createActorCritic({ inputSize: 6, actionCount: 5, hiddenSizes: [16, 16], activation: 'tanh' });
  const random = new RandomStream(keyFrom(3));
  const normals = (length: number) => Float32Array.from({ length }, () => random.nextNormal());
  const inputs = {
    parameters: initialParameters(network, random),
    inputs: normals(sampleCount * 6),
    actions: Int32Array.from({ length: sampleCount }, () => random.nextInteger(5)),
    samples: normals(sampleCount * SAMPLE_COLUMNS).map((value, at) => (at % SAMPLE_COLUMNS === 2 ? -1.6 : value)),
    rows: Int32Array.from({ length: sampleCount }, (_, row) => row),
    weights: new Float32Array(sampleCount).fill(1 / sampleCount),
    gradient: new Float32Array(network.parameterCount),
    losses: new Float32Array(PPO_DIAGNOSTICS.length),
  };

  async function gradientIn(grainRows: number) {
    const size = { sampleCount, rowCount: sampleCount, grainRows };
    const graph = await executor.compile(ppoChunkGraph(network, parametersOf({}), size));
    const gradient = new Float32Array(network.parameterCount);
    const losses = new Float32Array(PPO_DIAGNOSTICS.length);
    await graph.run(inputs, { gradient_next: gradient, losses_next: losses });
    await graph.release();
    return { gradient, losses };
  }

  it.each([48, 6])('of %i rows is the plain gradient, to the accuracy of float32', async (grainRows) => {
    const whole = await gradientIn(sampleCount);
    const grains = await gradientIn(grainRows);
    const norm = Math.hypot(...whole.gradient);
    expect(norm).toBeGreaterThan(1e-3);
    expect(Math.hypot(...whole.gradient.map((value, at) => value - grains.gradient[at]!)) / norm).toBeLessThan(1e-6);
    grains.losses.forEach((loss, at) => expect(loss).toBeCloseTo(whole.losses[at]!, 5));
  });
});

describe('the rows of a gradient', () => {
  const rowsOf = (grain: number | null, sampleCount: number) =>
    gradientRows({ minibatch_size: 600, gradient_grain: grain }, sampleCount);

  it('are a whole minibatch at once where nothing is said', () => {
    expect(rowsOf(null, 6000)).toEqual({ minibatchRows: 600, grainRows: 600, chunkRows: 600 });
    expect(rowsOf(250, 6000)).toEqual({ minibatchRows: 600, grainRows: 250, chunkRows: 600 });
  });

  it('are no more than a block holds', () => {
    expect(rowsOf(null, 50)).toEqual({ minibatchRows: 50, grainRows: 50, chunkRows: 50 });
    expect(rowsOf(250, 50)).toEqual({ minibatchRows: 50, grainRows: 50, chunkRows: 50 });
  });

  it('hold so many grains at once that a graph is compiled in short time', () => {
    const { chunkRows, grainRows } = rowsOf(1, 6000);
    expect(grainRows).toBe(1);
    expect(chunkRows).toBeLessThan(100);
  });

  it('are meant as a whole minibatch by parameters that are older than grains', () => {
    expect(gradientRows({ minibatch_size: 600 }, 6000)).toEqual(rowsOf(null, 6000));
  });
});

import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../../infra/onnx/executor.ts';
import { openSpread, trainingRound } from '../../../test/support/small-learning.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { trainRound } from '../../training.ts';
import { createActorCritic, initialParameters } from './actor-critic.ts';
import type { Learner } from '../contract.ts';
import { gradientRows } from './gradient-rows.ts';
import type { ProximalParameters } from './parameters.ts';
import { ippo } from '../ippo.ts';
import { chunkGraph } from './graphs.ts';
import { LOSS_DIAGNOSTICS } from './loss.ts';
import { sampleColumns } from './sample-columns.ts';

const executor = createOnnxExecutor();
const world = openSpread({ agents: 3, episode_steps: 5 });
const created: Learner[] = [];
afterEach(() => Promise.all(created.splice(0).map((learner) => learner.release())));

/** An update has 80 rows of two learners: two minibatches of 40, each padded to 70. */
const settings = { hidden_sizes: [9], parallel_environments: 8, minibatch_size: 70 };

const parametersOf = (changes: object) =>
  ippo.parametersSchema(world).parse({ name: 'ippo', ...settings, ...changes }) as ProximalParameters;

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
  const policy = { inputSize: 6, identitySize: 0, isMasked: false, actions: { kind: 'discrete', count: 5 } } as const;
  const parameters = parametersOf({ hidden_sizes: [16, 16] });
  const network = createActorCritic(policy, 0, parameters);
  const columns = sampleColumns(policy, parameters);
  const random = new RandomStream(keyFrom(3));
  const normals = (length: number) => Float32Array.from({ length }, () => random.nextNormal());
  const inputs = {
    parameters: initialParameters(network, random),
    inputs: normals(sampleCount * 6),
    actions: Int32Array.from({ length: sampleCount }, () => random.nextInteger(5)),
    samples: normals(sampleCount * columns.count).map((value, at) => (at % columns.count === 2 ? -1.6 : value)),
    rows: Int32Array.from({ length: sampleCount }, (_, row) => row),
    weights: new Float32Array(sampleCount).fill(1 / sampleCount),
    gradient: new Float32Array(network.parameterCount),
    losses: new Float32Array(LOSS_DIAGNOSTICS.length),
    entropy_coefficient: Float32Array.of(0.003),
  };

  async function gradientIn(grainRows: number) {
    const block = { sampleCount, jointCount: 0, sequenceCount: sampleCount, sequenceSteps: 1 };
    const optimizer = { kind: 'adam', adamEpsilon: 1e-5, momentum: 0, gradientClip: 0.5, frozen: [] } as const;
    const problem = { network, columns, parameters, optimizer, block };
    const graph = await executor.compile(chunkGraph(problem, sampleCount, grainRows));
    const gradient = new Float32Array(network.parameterCount);
    const losses = new Float32Array(LOSS_DIAGNOSTICS.length);
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
  const rowsOf = (grain: number | null, sequenceCount: number, sequenceSteps = 1) =>
    gradientRows({ minibatch_size: 600, gradient_grain: grain }, { sequenceCount, sequenceSteps });

  it('are a whole minibatch at once where nothing is said', () => {
    expect(rowsOf(null, 6000)).toEqual({ minibatchRows: 600, grainRows: 600, chunkRows: 600 });
    expect(rowsOf(250, 6000)).toEqual({ minibatchRows: 600, grainRows: 250, chunkRows: 600 });
  });

  it('are no more than a block holds', () => {
    expect(rowsOf(null, 50)).toEqual({ minibatchRows: 50, grainRows: 50, chunkRows: 50 });
    expect(rowsOf(250, 50)).toEqual({ minibatchRows: 50, grainRows: 50, chunkRows: 50 });
  });

  it('are whole sequences, one at least, and no more than a block holds', () => {
    expect(rowsOf(null, 100, 25)).toEqual({ minibatchRows: 600, grainRows: 600, chunkRows: 600 });
    expect(rowsOf(90, 100, 25)).toEqual({ minibatchRows: 600, grainRows: 75, chunkRows: 75 });
    expect(rowsOf(1, 2, 25)).toEqual({ minibatchRows: 50, grainRows: 25, chunkRows: 25 });
    expect(rowsOf(null, 3, 1000)).toEqual({ minibatchRows: 1000, grainRows: 1000, chunkRows: 1000 });
  });

  it.each([
    [1, 1],
    [50, 5],
  ])('hold so many grains at once that a graph is compiled in short time: %i rows in %i steps', (grain, steps) => {
    const { chunkRows, grainRows } = rowsOf(grain, 6000, steps);
    expect(grainRows).toBe(grain);
    expect((chunkRows / grainRows) * steps).toBeLessThan(100);
  });
});

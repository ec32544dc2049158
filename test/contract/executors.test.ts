import { afterAll, describe, expect, test } from 'vitest';
import { gradients } from '../../learning/graph/gradients.ts';
import { graphFromOutputs } from '../../learning/graph/graph.ts';
import { multiLayerPerceptron, type Perceptron, perceptronShapes } from '../../learning/graph/layers.ts';
import {
  add,
  clip,
  constant,
  exp,
  gatherRows,
  input,
  logSoftmax,
  minimum,
  multiply,
  negate,
  pick,
  reduceMean,
  reduceSum,
  reshape,
  square,
  stopGradient,
  subtract,
} from '../../learning/graph/operators.ts';
import { layoutFromShapes, layoutSize, parametersFromFlat } from '../../learning/graph/parameters.ts';
import { compileLoop } from '../../learning/graph-loop.ts';
import { EXECUTORS } from '../support/executors.ts';
import { referenceOutputs } from '../support/reference-executor.ts';

// What every executor promises.

const actor: Perceptron = { name: 'actor', sizes: [3, 4, 4, 2], activation: 'tanh' };
const critic: Perceptron = { name: 'critic', sizes: [3, 4, 4, 1], activation: 'tanh' };
const layout = layoutFromShapes({ ...perceptronShapes(actor), ...perceptronShapes(critic) });
const [rows, batch] = [9, 6];

/** The clipped surrogate, entropy and value loss of an actor and a critic, on rows gathered inside of the graph. */
function policyOptimizationGraph() {
  const flat = input('parameters', [layoutSize(layout)]);
  const parameters = parametersFromFlat(flat, layout);
  const taken = input('rows', [batch], 'int32');
  const x = gatherRows(input('observations', [rows, 3]), taken);
  const [advantages, targets, before] = ['advantages', 'targets', 'logProbabilities'].map((name) =>
    gatherRows(input(name, [rows]), taken),
  );
  const logProbabilities = logSoftmax(multiLayerPerceptron(x, parameters, actor));
  const chosen = pick(logProbabilities, gatherRows(input('actions', [rows], 'int32'), taken));
  const ratio = exp(subtract(chosen, before!));
  const clipped = stopGradient(clip(ratio, 0.8, 1.2));
  const surrogate = reduceMean(minimum(multiply(ratio, advantages!), multiply(clipped, advantages!)));
  const entropy = negate(reduceMean(reduceSum(multiply(exp(logProbabilities), logProbabilities), [-1])));
  const values = reshape(multiLayerPerceptron(x, parameters, critic), [batch]);
  const valueLoss = reduceMean(square(subtract(values, targets!)));
  const loss = add(subtract(multiply(valueLoss, 0.5), surrogate), multiply(entropy, -0.01));
  const [gradient] = gradients(loss, [flat]);
  return graphFromOutputs({ gradient: gradient!, loss: reshape(loss, [1]) });
}

const wave = (length: number, frequency: number) =>
  Float32Array.from({ length }, (_, index) => Math.sin(frequency * (index + 1)));

const inputs = {
  parameters: wave(layoutSize(layout), 2.1),
  observations: wave(rows * 3, 1.3),
  advantages: wave(rows, 0.9),
  targets: wave(rows, 1.7),
  // Near to and far from the probabilities now, so that some ratios are clipped and others are not.
  logProbabilities: Float32Array.from({ length: rows }, (_, index) => -0.5 - 0.3 * (index % 4)),
  actions: Int32Array.from({ length: rows }, (_, index) => index % 2),
  rows: Int32Array.of(8, 0, 3, 3, 5, 1),
};

const graph = policyOptimizationGraph();

describe.each(Object.entries(EXECUTORS))('%s', async (_title, executor) => {
  const compiled = await executor.compile(graph);
  afterAll(() => compiled.release());

  async function run() {
    const outputs = { gradient: new Float32Array(layoutSize(layout)), loss: new Float32Array(1) };
    await compiled.run(inputs, outputs);
    return outputs;
  }

  test('the gradient of a whole policy optimization loss is that of finite differences', async () => {
    const { gradient } = await run();
    const step = 1e-5;
    const lossAt = (entry: number, shift: number) => {
      const parameters = Float64Array.from(inputs.parameters);
      parameters[entry]! += shift;
      return referenceOutputs(graph, { ...inputs, parameters })['loss']![0]!;
    };
    for (let entry = 0; entry < layoutSize(layout); entry += 1) {
      const slope = (lossAt(entry, step) - lossAt(entry, -step)) / (2 * step);
      expect(Math.abs(gradient[entry]! - slope), `parameter ${entry}`).toBeLessThan(1e-6);
    }
    expect(Math.hypot(...gradient)).toBeGreaterThan(0.1);
  });

  test('the same run twice gives the same bytes', async () => {
    expect(await run()).toEqual(await run());
  });

  test('arrays may be used again with other contents', async () => {
    const parameters = inputs.parameters.slice();
    const outputs = { gradient: new Float32Array(layoutSize(layout)), loss: new Float32Array(1) };
    await compiled.run({ ...inputs, parameters }, outputs);
    const first = outputs.loss[0];
    parameters.fill(0);
    await compiled.run({ ...inputs, parameters }, outputs);
    const expected = referenceOutputs(graph, { ...inputs, parameters })['loss']![0]!;
    expect(outputs.loss[0]).not.toBe(first);
    expect(outputs.loss[0]).toBeCloseTo(expected, 5);
  });

  test('an array that is missing or of another size or type is refused by name', async () => {
    const outputs = { gradient: new Float32Array(layoutSize(layout)), loss: new Float32Array(1) };
    const { rows: taken, ...withoutRows } = inputs;
    const refusals = {
      'rows: takes 6 values of int32, not no': compiled.run(withoutRows, outputs),
      'rows: takes 6 values of int32, not 5': compiled.run({ ...inputs, rows: taken.slice(1) }, outputs),
      'actions: takes 9 values of int32, not 9 of Float32Array': compiled.run(
        { ...inputs, actions: wave(rows, 1) },
        outputs,
      ),
      'gradient: takes': compiled.run(inputs, { loss: outputs.loss }),
    };
    for (const [message, running] of Object.entries(refusals)) await expect(running).rejects.toThrow(message);
  });

  test('an output may be an input, a constant, or the same as another', async () => {
    const x = input('x', [2]);
    const passing = await executor.compile(graphFromOutputs({ y: x, z: constant([3, 4]), a: square(x), b: square(x) }));
    const outputs = Object.fromEntries(['y', 'z', 'a', 'b'].map((name) => [name, new Float32Array(2)]));
    await passing.run({ x: Float32Array.of(1, 2) }, outputs);
    expect(Object.values(outputs).map((values) => [...values])).toEqual([
      [1, 2],
      [3, 4],
      [1, 4],
      [1, 4],
    ]);
    await passing.release();
  });

  test.each([1, 2, 5])('a loop of %d steps gives what so many runs give', async (stepCount) => {
    const [momentum, gathered, total] = [input('momentum', [3]), input('rows', [2], 'int32'), input('total', [1])];
    const moved = add(multiply(momentum, 0.9), reduceSum(gatherRows(input('table', [4, 3]), gathered), [0]));
    const graph = graphFromOutputs({
      momentum_next: moved,
      total_next: add(total, reshape(multiply(reduceSum(square(moved)), reshape(input('rate', [1]), [])), [1])),
    });
    const shape = {
      stepsMax: 5,
      carried: { momentum_next: 'momentum', total_next: 'total' },
      stepped: ['rows', 'rate'],
    };
    const given = {
      momentum: wave(3, 0.3),
      total: Float32Array.of(0.5),
      table: wave(12, 1.1),
      rows: Int32Array.of(0, 1, 2, 3, 3, 3, 1, 2, 0, 2),
      rate: wave(5, 0.7),
    };
    const before = structuredClone(given);
    const looped = { momentum_next: new Float32Array(3), total_next: new Float32Array(1) };
    const loop = await compileLoop(executor, graph, shape);
    await loop.run(stepCount, given, looped);
    await loop.run(stepCount, given, looped);
    await loop.release();

    const single = await executor.compile(graph);
    let carried = { momentum: given.momentum, total: given.total };
    for (let step = 0; step < stepCount; step += 1) {
      const outputs = { momentum_next: new Float32Array(3), total_next: new Float32Array(1) };
      const [rows, rate] = [given.rows.slice(2 * step, 2 * step + 2), given.rate.slice(step, step + 1)];
      await single.run({ ...given, ...carried, rows, rate }, outputs);
      carried = { momentum: outputs.momentum_next, total: outputs.total_next };
    }
    await single.release();
    expect([...looped.momentum_next, ...looped.total_next]).toEqual([...carried.momentum, ...carried.total]);
    expect(given).toEqual(before);
  });
});

import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../../../simulators/random.ts';
import { createActivations, createWeights, evaluate, lossGradient, type Samples, weightCount } from './network.ts';

const SHAPE = { inputs: 4, hidden: 3, outputs: 2 };
const COUNT = 5;

/** Normal numbers, some of the inputs 0 as those of actions that were not taken. */
function samplesOf(random: RandomStream): Samples {
  const normals = (length: number) => Float64Array.from({ length }, () => random.nextNormal());
  const inputs = normals(COUNT * SHAPE.inputs).map((value, at) => (at % 3 === 0 ? 0 : value));
  return { count: COUNT, inputs, targets: normals(COUNT * SHAPE.outputs) };
}

/** ŷ by its formula, sum by sum. */
function slowOutputs(weights: Float64Array, x: readonly number[]): number[] {
  const { inputs, hidden, outputs } = SHAPE;
  const at = { b1: inputs * hidden, w2: (inputs + 1) * hidden, b2: (inputs + 1) * hidden + hidden * outputs };
  const h = Array.from({ length: hidden }, (_, unit) =>
    Math.tanh(x.reduce((sum, value, input) => sum + value * weights[input * hidden + unit]!, weights[at.b1 + unit]!)),
  );
  return Array.from({ length: outputs }, (_, output) =>
    h.reduce((sum, value, unit) => sum + value * weights[at.w2 + unit * outputs + output]!, weights[at.b2 + output]!),
  );
}

describe.each([1, 2, 3])('a network drawn under seed %i', (seed) => {
  const random = new RandomStream(keyFrom(seed));
  const samples = samplesOf(random);
  // Biases are drawn too, so that nothing is 0 that should count.
  const weights = createWeights(SHAPE, random).map((weight) => weight + 0.1 * random.nextNormal());
  const rows = Int32Array.of(0, 2, 4);

  it('gives what its formula gives', () => {
    const activations = createActivations(SHAPE);
    for (let row = 0; row < COUNT; row += 1) {
      evaluate(SHAPE, weights, { inputs: samples.inputs, row }, activations);
      const x = [...samples.inputs.subarray(row * SHAPE.inputs, (row + 1) * SHAPE.inputs)];
      slowOutputs(weights, x).forEach((output, at) => expect(activations.outputs[at]).toBeCloseTo(output, 12));
    }
  });

  it('has the gradient that finite differences of its loss have', () => {
    const loss = (at: number, change: number) => {
      const moved = weights.slice();
      moved[at]! += change;
      return lossGradient(SHAPE, moved, { samples, rows }, new Float64Array(weights.length));
    };
    const gradient = new Float64Array(weights.length);
    lossGradient(SHAPE, weights, { samples, rows }, gradient);
    const step = 1e-5;
    expect(gradient.length).toBe(weightCount(SHAPE));
    for (const [at, slope] of gradient.entries()) {
      expect(slope).toBeCloseTo((loss(at, step) - loss(at, -step)) / (2 * step), 8);
    }
  });

  it('has half the mean squared error over the rows of the minibatch as loss', () => {
    const squares = [...rows].flatMap((row) => {
      const x = [...samples.inputs.subarray(row * SHAPE.inputs, (row + 1) * SHAPE.inputs)];
      return slowOutputs(weights, x).map((output, at) => (output - samples.targets[row * SHAPE.outputs + at]!) ** 2);
    });
    const expected = squares.reduce((sum, square) => sum + square, 0) / (2 * rows.length);
    const gradient = new Float64Array(weights.length);
    expect(lossGradient(SHAPE, weights, { samples, rows }, gradient)).toBeCloseTo(expected, 12);
  });
});

it('refuses samples that do not fit', () => {
  const random = new RandomStream(keyFrom(1));
  const samples = { ...samplesOf(random), count: COUNT + 1 };
  const weights = createWeights(SHAPE, random);
  const call = () =>
    lossGradient(SHAPE, weights, { samples, rows: Int32Array.of(0) }, new Float64Array(weights.length));
  expect(call).toThrow(expect.objectContaining({ code: 'DEFECT_SHAPE_MISMATCH' }));
});

import { describe, expect, test } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { referenceOutputs } from '../../test/support/reference-executor.ts';
import type { Expression } from '../graph/expression.ts';
import { gradients } from '../graph/gradients.ts';
import { graphFromOutputs } from '../graph/graph.ts';
import { add, concat, input, multiply, reduceSum, reshape, slice, square } from '../graph/operators.ts';
import { layoutFromShapes, layoutSize, parametersFromFlat } from '../graph/parameters.ts';
import { createNetwork, createSeatNetworks, type Network, type NetworkShape } from './network.ts';

// Letters: L steps, Q sequences, I inputs, O outputs, H units of a memory, P parameters.

const [stepCount, sequenceCount, memorySize] = [4, 2, 3];
const rowCount = stepCount * sequenceCount;
const shape: NetworkShape = {
  name: 'actor',
  inputSize: 5,
  outputSize: 2,
  hiddenSizes: [4],
  activation: 'tanh',
  memorySize,
};

const NETWORKS: Readonly<Record<string, Network>> = {
  'a network with a memory': createNetwork(shape),
  'networks of two seats': createSeatNetworks(shape, 2),
};

/** Rows of small numbers that end with the one-hot of a seat, which is the same throughout a sequence. */
function arraysOf(parameterCount: number) {
  const random = new RandomStream(keyFrom(11));
  const normals = (length: number) => Float64Array.from({ length }, () => random.nextNormal());
  const x = normals(rowCount * shape.inputSize);
  for (let row = 0; row < rowCount; row += 1) {
    const seat = row % sequenceCount;
    x.set([Number(seat === 0), Number(seat === 1)], (row + 1) * shape.inputSize - 2);
  }
  // An episode begins in the middle of the first sequence, and with the second.
  const keep = new Float64Array(rowCount).fill(1);
  keep[2 * sequenceCount] = 0;
  keep[1] = 0;
  return { parameters: normals(parameterCount), x, start: normals(sequenceCount * memorySize), keep };
}

const x = input('x', [rowCount, shape.inputSize]);
const keep = input('keep', [rowCount, 1]);
const start = input('start', [sequenceCount, memorySize]);
const atStep = (rows: Expression, step: number) => slice(rows, 0, step * sequenceCount, (step + 1) * sequenceCount);

/** The rows one step after the other, each with the memory that the step before left, unless an episode begins. */
function steppedByHand(network: Network, parameters: Readonly<Record<string, Expression>>) {
  let memory = start;
  const steps = Array.from({ length: stepCount }, (_, step) => {
    const applied = network.apply(atStep(x, step), parameters, multiply(memory, atStep(keep, step)));
    memory = applied.memory!;
    return applied;
  });
  return {
    outputs: concat(
      steps.map(({ outputs }) => outputs),
      0,
    ),
    memory: concat(
      steps.map((each) => each.memory!),
      0,
    ),
  };
}

describe.each(Object.entries(NETWORKS))('%s', (_title, network) => {
  const layout = layoutFromShapes(network.shapes);
  const flat = input('parameters', [layoutSize(layout)]);
  const parameters = parametersFromFlat(flat, layout);
  const arrays = arraysOf(layoutSize(layout));
  const unrolled = network.unroll(x, parameters, { start, keep });

  test('unrolled is what stepping by hand gives: outputs and the memory after each step', () => {
    const stepped = steppedByHand(network, parameters);
    const graph = graphFromOutputs({
      outputs: unrolled.outputs,
      memory: unrolled.memory!,
      outputsByHand: stepped.outputs,
      memoryByHand: stepped.memory,
    });
    const made = referenceOutputs(graph, arrays);
    expect(unrolled.outputs.shape).toEqual([rowCount, shape.outputSize]);
    expect(unrolled.memory!.shape).toEqual([rowCount, memorySize]);
    for (const name of ['outputs', 'memory']) {
      made[name]!.forEach((value, entry) => expect(value).toBeCloseTo(made[`${name}ByHand`]![entry]!, 12));
    }
  });

  test('where an episode begins nothing that came before it is remembered', () => {
    const graph = graphFromOutputs({ memory: unrolled.memory! });
    const first = referenceOutputs(graph, arrays)['memory']!;
    const isBefore = (entry: number) => entry < 2 * sequenceCount * shape.inputSize;
    const isSeen = (entry: number) => entry % shape.inputSize < shape.inputSize - 2;
    const others = arrays.x.map((value, entry) => (isBefore(entry) && isSeen(entry) ? value + 1 : value));
    const second = referenceOutputs(graph, { ...arrays, x: others })['memory']!;
    const memoryOf = (memory: Float64Array, row: number) => [
      ...memory.subarray(row * memorySize, (row + 1) * memorySize),
    ];
    expect(memoryOf(second, 2 * sequenceCount)).toEqual(memoryOf(first, 2 * sequenceCount));
    expect(memoryOf(second, 2 * sequenceCount + 1)).not.toEqual(memoryOf(first, 2 * sequenceCount + 1));
  });

  test('gradients through the whole sequence are those of finite differences', () => {
    const loss = add(reduceSum(square(unrolled.outputs)), reduceSum(unrolled.memory!));
    const [ofParameters, ofStart] = gradients(loss, [flat, start]);
    const graph = graphFromOutputs({ loss: reshape(loss, [1]), parameters_: ofParameters!, start_: ofStart! });
    const made = referenceOutputs(graph, arrays);
    const onlyLoss = graphFromOutputs({ loss: reshape(loss, [1]) });
    const shift = 1e-5;
    for (const name of ['parameters', 'start'] as const) {
      const lossAt = (entry: number, by: number) => {
        const moved = arrays[name].slice();
        moved[entry]! += by;
        return referenceOutputs(onlyLoss, { ...arrays, [name]: moved })['loss']![0]!;
      };
      made[`${name}_`]!.forEach((slope, entry) => {
        const difference = (lossAt(entry, shift) - lossAt(entry, -shift)) / (2 * shift);
        expect(Math.abs(slope - difference), `${name} ${entry}`).toBeLessThan(1e-6 * Math.max(1, Math.abs(slope)));
      });
    }
    // The second sequence begins with an episode, so what was remembered before it does not matter.
    expect(made['start_']!.subarray(memorySize).every((slope) => slope === 0)).toBe(true);
    expect(Math.hypot(...made['start_']!)).toBeGreaterThan(0.01);
  });
});

test('without a memory unrolling is the network applied to all rows', () => {
  const network = createNetwork({ ...shape, memorySize: 0 });
  const layout = layoutFromShapes(network.shapes);
  const parameters = parametersFromFlat(input('parameters', [layoutSize(layout)]), layout);
  const unrolled = network.unroll(x, parameters, null);
  expect(unrolled.memory).toBeNull();
  const graph = graphFromOutputs({ y: unrolled.outputs, same: network.apply(x, parameters, null).outputs });
  expect(graph.outputs[0]!.node).toBe(graph.outputs[1]!.node);
});

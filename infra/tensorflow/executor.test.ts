import { expect, test } from 'vitest';
import { graphFromOutputs } from '../../learning/graph/graph.ts';
import { add, constant, input, matmul, reshape, square } from '../../learning/graph/operators.ts';
import { EXECUTORS, tensorCount } from '../../test/support/executors.ts';

const executor = EXECUTORS['TensorFlow.js']!;

test('runs leave no tensor behind, failed ones neither, and a released graph none of its own', async () => {
  const before = tensorCount();
  const x = input('x', [2, 2]);
  const weights = constant([1, 2, 3, 4], [2, 2]);
  // An output that is an input, one that is a constant, and two that are one value.
  const outputs = { y: square(matmul(x, weights)), same: x, weights, sum: add(x, 1), again: add(x, 1) };
  const compiled = await executor.compile(graphFromOutputs({ ...outputs, flat: reshape(x, [4]) }));
  const arrays = Object.fromEntries([...Object.keys(outputs), 'flat'].map((name) => [name, new Float32Array(4)]));
  const counts: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    await compiled.run({ x: Float32Array.of(1, 0, 0, 1) }, arrays);
    counts.push(tensorCount());
  }
  await expect(compiled.run({ x: new Float32Array(3) }, arrays)).rejects.toThrow('x: takes 4 values');
  expect([...arrays['y']!]).toEqual([1, 4, 9, 16]);
  expect(new Set([...counts, tensorCount()])).toEqual(new Set([counts[0]]));
  expect(counts[0]).toBeGreaterThan(before);
  await compiled.release();
  expect(tensorCount()).toBe(before);
});

test('without a GPU no memory of one is reported, and the name says what computes', () => {
  expect(executor.peakGpuBytes()).toBeNull();
  expect(executor.name).toBe('tensorflow-javascript-cpu');
});

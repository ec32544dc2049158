import { expect, test } from 'vitest';
import { referenceOutputs } from '../../test/support/reference-executor.ts';
import { gradients } from './gradients.ts';
import { graphFromOutputs } from './graph.ts';
import { add, constant, input, multiply, reduceMax, reduceSum, reshape, slice, square, tanh } from './operators.ts';
import { layoutFromShapes, layoutSize, parametersFromFlat } from './parameters.ts';

test('a value used twice receives both contributions', () => {
  const x = input('x', [2]);
  const [slope] = gradients(reduceSum(add(square(x), multiply(x, 3))), [x]);
  const outputs = referenceOutputs(graphFromOutputs({ slope: slope! }), { x: [5, -1] });
  expect([...outputs['slope']!]).toEqual([2 * 5 + 3, 2 * -1 + 3]);
});

test('a gradient with respect to an inner expression stops there', () => {
  const x = input('x', [2]);
  const y = square(x);
  const [slopeOfY, slopeOfX] = gradients(reduceSum(square(y)), [y, x]);
  const graph = graphFromOutputs({ slopeOfY: slopeOfY!, slopeOfX: slopeOfX! });
  const outputs = referenceOutputs(graph, { x: [2, 3] });
  expect([...outputs['slopeOfY']!]).toEqual([2 * 4, 2 * 9]);
  expect([...outputs['slopeOfX']!]).toEqual([4 * 2 ** 3, 4 * 3 ** 3]);
});

test('entries that are equally large share the gradient of the largest', () => {
  const x = input('x', [2, 3]);
  const [slope] = gradients(reduceSum(multiply(reduceMax(x, [1]), constant([6, 4]))), [x]);
  const outputs = referenceOutputs(graphFromOutputs({ slope: slope! }), { x: [1, 7, 7, 0, 2, 1] });
  expect([...outputs['slope']!]).toEqual([0, 3, 3, 0, 4, 0]);
});

test('what the loss does not depend on has gradient 0', () => {
  const x = input('x', [1]);
  const other = input('other', [3]);
  const [slope] = gradients(reduceSum(x), [other]);
  expect([...referenceOutputs(graphFromOutputs({ slope: slope! }), {})['slope']!]).toEqual([0, 0, 0]);
});

test('gradients of gradients are gradients', () => {
  const x = input('x', [1]);
  const [first] = gradients(reduceSum(multiply(square(x), x)), [x]);
  const [second] = gradients(reduceSum(first!), [x]);
  expect([...referenceOutputs(graphFromOutputs({ second: second! }), { x: [4] })['second']!]).toEqual([6 * 4]);
});

test('the gradient of a flat vector is one concatenation of its parts, without sums of padded slices', () => {
  const layout = layoutFromShapes({ a: [2, 2], b: [2], c: [3] });
  const flat = input('flat', [layoutSize(layout)]);
  const { a, b, c } = parametersFromFlat(flat, layout);
  const loss = add(reduceSum(multiply(square(a!), b!)), reduceSum(square(c!)));
  const graph = graphFromOutputs({ slope: gradients(loss, [flat])[0]! });
  expect(graph.nodes.filter(({ op }) => op === 'concat').length).toBe(1);
  expect(graph.nodes.filter(({ op, shape }) => op === 'add' && shape[0] === layoutSize(layout)).length).toBe(0);
  const slope = referenceOutputs(graph, { flat: [1, 2, 3, 4, 5, 6, 7, 8, 9] })['slope']!;
  expect([...slope]).toEqual([2 * 1 * 5, 2 * 2 * 6, 2 * 3 * 5, 2 * 4 * 6, 1 + 9, 4 + 16, 14, 16, 18]);
});

test('parts that nothing uses are zeros in the gradient of the whole', () => {
  const flat = input('flat', [5]);
  const graph = graphFromOutputs({ slope: gradients(reduceSum(square(slice(flat, 0, 1, 3))), [flat])[0]! });
  expect([...referenceOutputs(graph, { flat: [1, 2, 3, 4, 5] })['slope']!]).toEqual([0, 4, 6, 0, 0]);
});

test('a loss that is no scalar is refused', () => {
  const x = input('x', [2]);
  expect(() => gradients(x, [x])).toThrow(expect.objectContaining({ code: 'DEFECT_SHAPE_MISMATCH' }));
  expect(() => gradients(reshape(reduceSum(x), [1]), [x])).not.toThrow();
});

test('chains far longer than the call stack are differentiated', () => {
  const x = input('x', [1]);
  let y = x;
  for (let i = 0; i < 12_000; i += 1) y = tanh(y);
  expect(graphFromOutputs({ slope: gradients(reduceSum(y), [x])[0]! }).nodes.length).toBeGreaterThan(12_000);
  expect(gradients(constant(1), [x])[0]!.shape).toEqual([1]);
});

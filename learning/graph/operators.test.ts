import { expect, test } from 'vitest';
import type { Expression } from './expression.ts';
import * as graph from './operators.ts';

const matrix = graph.input('matrix', [2, 3]);
const indices = graph.input('indices', [4], 'int32');

/** What must be refused, and what the message must name. */
const REFUSED: Readonly<Record<string, [build: () => Expression, named: RegExp]>> = {
  'shapes that do not broadcast': [() => graph.add(matrix, graph.input('x', [2])), /add: \[2, 3\] and \[2\]/],
  'matrices that do not multiply': [() => graph.matmul(matrix, matrix), /matmul: \[2, 3\] and \[2, 3\]/],
  'a product with a vector': [() => graph.matmul(matrix, graph.input('x', [3])), /matmul/],
  'a reshape to another size': [() => graph.reshape(matrix, [5]), /reshape: \[2, 3\] and \[5\]/],
  'a repetition of a longer axis': [() => graph.broadcastTo(matrix, [2, 1]), /broadcastTo/],
  'an axis that is not there': [() => graph.reduceSum(matrix, [2]), /reduceSum: \[2, 3\] has no axes 2/],
  'the largest entry of a row that is alone': [() => graph.argMax(graph.input('x', [3])), /argMax: \[3\] is no matrix/],
  'an axis named twice': [() => graph.reduceSum(matrix, [1, -1]), /reduceSum/],
  'a slice beyond the end': [() => graph.slice(matrix, 1, 2, 4), /slice: \[2, 3\] has no entries 2 to 4/],
  'an empty slice': [() => graph.slice(matrix, 1, 2, 2), /slice/],
  'parts that do not join': [() => graph.concat([matrix, graph.input('x', [2, 2])], 0), /concat/],
  'parts of another rank': [() => graph.concat([matrix, graph.input('x', [2])], 0), /concat/],
  'nothing to join': [() => graph.concat([], 0), /concat/],
  'indices that are fractions': [() => graph.gatherRows(matrix, graph.input('x', [2])), /gatherRows/],
  'constants of another size': [() => graph.constant([1, 2], [3]), /constant: \[3\] cannot hold 2/],
  'integers with fractions': [() => graph.add(indices, 1), /add: takes int32, not int32, float32/],
  'the exponential of integers': [() => graph.exp(indices), /exp: takes float32/],
  'a condition that is a number': [() => graph.where(matrix, 1, 2), /where: takes bool, not float32/],
  'a vector of vectors of indices': [() => graph.oneHot(graph.input('x', [2, 2], 'int32'), 3), /oneHot: \[2, 2\]/],
  'parts of two types': [() => graph.concat([indices, graph.input('x', [2])], 0), /concat: takes int32/],
  'branches of two types': [() => graph.where(graph.greater(matrix, 0), 1, graph.constant(Int32Array.of(1))), /where/],
};

test.each(Object.entries(REFUSED))(
  '%s: refused by an error that names operator and shapes',
  (_title, [build, named]) => {
    expect(build).toThrow(
      expect.objectContaining({ code: 'DEFECT_SHAPE_MISMATCH', message: expect.stringMatching(named) }),
    );
  },
);

test('what changes nothing adds no node', () => {
  expect(graph.multiply(matrix, 1)).toBe(matrix);
  expect(graph.multiply(1, matrix)).toBe(matrix);
  expect(graph.reshape(matrix, [2, 3])).toBe(matrix);
  expect(graph.slice(matrix, 0, 0, 2)).toBe(matrix);
  expect(graph.concat([matrix], 0)).toBe(matrix);
  expect(graph.cast(matrix, 'float32')).toBe(matrix);
  expect(graph.broadcastTo(matrix, [2, 3])).toBe(matrix);
  expect(graph.reshape(graph.reshape(matrix, [6]), [3, 2]).inputs[0]).toBe(matrix);
});

test('weights cut out of a constant vector are constants', () => {
  const flat = graph.constant([1, 2, 3, 4, 5]);
  const weight = graph.reshape(graph.slice(flat, 0, 1, 5), [2, 2]);
  expect(weight).toEqual(graph.constant([2, 3, 4, 5], [2, 2]));
});

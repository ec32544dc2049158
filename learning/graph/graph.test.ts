import { expect, test } from 'vitest';
import { graphFromOutputs } from './graph.ts';
import { add, constant, exp, greater, input, multiply, negate } from './operators.ts';

test('equal expressions are one node, unequal ones are not', () => {
  const x = input('x', [2]);
  const graph = graphFromOutputs({ y: add(multiply(exp(x), 2), multiply(exp(input('x', [2])), 2)) });
  expect(graph.nodes.map(({ op }) => op)).toEqual(['input', 'exp', 'constant', 'multiply', 'add']);
  const unequal = graphFromOutputs({ y: add(multiply(x, 2), multiply(x, 3)) });
  expect(unequal.nodes.filter(({ op }) => op === 'constant').length).toBe(2);
});

test('constants differ by sign of zero, by type and by value', () => {
  const count = (...constants: ReturnType<typeof constant>[]) =>
    graphFromOutputs(Object.fromEntries(constants.map((each, index) => [`c${index}`, each]))).nodes.length;
  expect(count(constant([0, 1]), constant([0, 1]))).toBe(1);
  expect(count(constant([0, 0]), constant([-0, -0]))).toBe(2);
  expect(count(constant([0, 1]), constant([-0, 1]))).toBe(2);
  expect(count(constant(Float32Array.of(1)), constant(Int32Array.of(1)))).toBe(2);
  const large = Float32Array.from({ length: 1000 }, (_, index) => index);
  expect(count(constant(large), constant(large), constant(large.slice().fill(7, 3)))).toBe(2);
});

test('nodes stand after their inputs, and ids are places', () => {
  const x = input('x', [2]);
  const { nodes } = graphFromOutputs({ y: add(negate(exp(x)), x) });
  for (const [place, { id, inputs }] of nodes.entries()) {
    expect(id).toBe(place);
    for (const source of inputs) expect(source).toBeLessThan(id);
  }
});

test('a graph is plain data: it survives structured cloning', () => {
  const graph = graphFromOutputs({ y: multiply(input('x', [2]), constant([1, 2])) });
  expect(structuredClone(graph)).toEqual(graph);
});

test('one name cannot stand for two shapes or for input and output, and no output is bool', () => {
  const mismatch = expect.objectContaining({ code: 'DEFECT_SHAPE_MISMATCH' });
  expect(() => graphFromOutputs({ y: add(input('x', [2]), input('x', [1])) })).toThrow(mismatch);
  expect(() => graphFromOutputs({ x: negate(input('x', [2])) })).toThrow(mismatch);
  expect(() => graphFromOutputs({ y: greater(input('x', [2]), 0) })).toThrow(mismatch);
});

import { expect, test } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { referenceOutputs } from '../../test/support/reference-executor.ts';
import { graphFromOutputs } from './graph.ts';
import {
  initializePerceptron,
  multiLayerPerceptron,
  orthogonalMatrix,
  type Perceptron,
  perceptronShapes,
} from './layers.ts';
import { input } from './operators.ts';
import { layoutFromShapes, layoutSize, parametersFromFlat } from './parameters.ts';

const perceptron: Perceptron = { name: 'net', sizes: [2, 3, 1], activation: 'tanh' };

test('a perceptron is its layers one after the other, with the activation between them only', () => {
  const layout = layoutFromShapes(perceptronShapes(perceptron));
  const flat = Array.from({ length: layoutSize(layout) }, (_, index) => Math.sin(index));
  const parameters = parametersFromFlat(input('flat', [flat.length]), layout);
  const graph = graphFromOutputs({ y: multiLayerPerceptron(input('x', [1, 2]), parameters, perceptron) });
  const x = [0.3, -2];
  const hidden = [0, 1, 2].map((unit) => Math.tanh(x[0]! * flat[unit]! + x[1]! * flat[3 + unit]! + flat[6 + unit]!));
  const expected = hidden.reduce((sum, value, unit) => sum + value * flat[9 + unit]!, flat[12]!);
  expect(referenceOutputs(graph, { flat, x })['y']![0]).toBeCloseTo(expected, 12);
});

test('a layout places arrays one after the other', () => {
  expect(layoutFromShapes(perceptronShapes(perceptron))).toEqual({
    'net.0.weight': { offset: 0, shape: [2, 3] },
    'net.0.bias': { offset: 6, shape: [3] },
    'net.1.weight': { offset: 9, shape: [3, 1] },
    'net.1.bias': { offset: 12, shape: [1] },
  });
});

test('a flat vector of another size is refused', () => {
  const layout = layoutFromShapes(perceptronShapes(perceptron));
  const isMismatch = expect.objectContaining({ code: 'DEFECT_SHAPE_MISMATCH' });
  expect(() => parametersFromFlat(input('flat', [12]), layout)).toThrow(isMismatch);
});

test.each([
  [4, 7],
  [7, 4],
  [5, 5],
  [1, 6],
])('vectors of the shorter side of an orthogonal matrix [%i %i] are orthonormal', (rows, columns) => {
  const matrix = orthogonalMatrix(rows, columns, new RandomStream(keyFrom(rows, columns)));
  const length = Math.max(rows, columns);
  const entry = (vector: number, i: number) =>
    rows <= columns ? matrix[vector * columns + i]! : matrix[i * columns + vector]!;
  for (let a = 0; a < Math.min(rows, columns); a += 1) {
    for (let b = 0; b <= a; b += 1) {
      let product = 0;
      for (let i = 0; i < length; i += 1) product += entry(a, i) * entry(b, i);
      expect(product).toBeCloseTo(Number(a === b), 12);
    }
  }
});

test('initial weights have the gain of their layer, biases are 0, and the same key gives the same bytes', () => {
  const layout = layoutFromShapes({ before: [2], ...perceptronShapes(perceptron) });
  const initialized = (seed: number) => {
    const flat = new Float32Array(layoutSize(layout)).fill(9);
    const random = new RandomStream(keyFrom(seed));
    initializePerceptron(flat, layout, perceptron, { random, gains: { hidden: Math.SQRT2, last: 0.01 } });
    return flat;
  };
  const flat = initialized(1);
  const norm = (start: number, end: number) => Math.hypot(...flat.subarray(start, end));
  expect([...flat.subarray(0, 2)]).toEqual([9, 9]);
  expect(norm(2, 5)).toBeCloseTo(Math.SQRT2, 6);
  expect(norm(5, 8)).toBeCloseTo(Math.SQRT2, 6);
  expect(norm(11, 14)).toBeCloseTo(0.01, 6);
  expect([...flat.subarray(8, 11), flat[14]]).toEqual([0, 0, 0, 0]);
  expect(initialized(1)).toEqual(flat);
  expect(initialized(2)).not.toEqual(flat);
});

import { describe, expect, test } from 'vitest';
import type { Expression, OperatorName, Shape } from '../../learning/graph/expression.ts';
import { GRADIENT_RULES } from '../../learning/graph/gradient-rules.ts';
import { gradients } from '../../learning/graph/gradients.ts';
import { graphFromOutputs } from '../../learning/graph/graph.ts';
import * as g from '../../learning/graph/operators.ts';
import { sizeOf } from '../../learning/graph/shapes.ts';
import { agreementTable, largestDifference } from '../support/agreement.ts';
import { EXECUTORS, outputsOnce } from '../support/executors.ts';
import { referenceOutputs } from '../support/reference-executor.ts';

interface Case {
  readonly title: string;
  /** Floating-point inputs, away from kinks, so that finite differences mean something. */
  readonly inputs: readonly { readonly shape: Shape; readonly values: readonly number[] }[];
  readonly build: (...inputs: Expression[]) => Expression;
  /** Row-major. */
  readonly expected: readonly number[];
  /** An operator that passes no gradient although its value changes. */
  readonly passesNoGradient?: boolean;
}

const vector = (...values: number[]) => ({ shape: [values.length], values });
const matrix = (...rows: number[][]) => ({ shape: [rows.length, rows[0]!.length], values: rows.flat() });
const indices = (...values: number[]) => g.constant(Int32Array.from(values));

const X = [-1.5, 0.25, 2];
const POSITIVE = [0.5, 1.25, 3];

const unary = (build: (x: Expression) => Expression, formula: (x: number) => number, values: number[] = X): Case => ({
  title: 'each entry by the formula',
  inputs: [vector(...values)],
  build,
  expected: values.map(formula),
});

/** A matrix with a matrix, with a row, with a column and with a scalar. */
const binary = (
  build: (left: Expression, right: Expression) => Expression,
  formula: (left: number, right: number) => number,
): Case[] => {
  const left = matrix([1.5, -2, 3], [0.5, 4, -1.25]);
  const entry = (row: number, column: number) => left.values[row * 3 + column]!;
  const rights = {
    'equal shapes': {
      right: matrix([2, 1, -4], [3, 0.75, 2.5]),
      at: (row: number, column: number) => row * 3 + column,
    },
    'a row repeated': { right: vector(2, 1, -4), at: (_row: number, column: number) => column },
    'a column repeated': { right: matrix([2], [-3]), at: (row: number) => row },
    'a scalar repeated': { right: { shape: [], values: [0.75] }, at: () => 0 },
  };
  return Object.entries(rights).flatMap(([title, { right, at }]) => {
    const pairs = [0, 1].flatMap((row) =>
      [0, 1, 2].map((column) => [entry(row, column), right.values[at(row, column)]!] as const),
    );
    return [
      { title, inputs: [left, right], build, expected: pairs.map(([l, r]) => formula(l, r)) },
      {
        title: `${title}, on the left`,
        inputs: [right, left],
        build,
        expected: pairs.map(([l, r]) => formula(r, l)),
      },
    ];
  });
};

const comparison = (
  build: (left: Expression, right: Expression) => Expression,
  formula: (left: number, right: number) => boolean,
): Case[] => [
  ...binary(
    (left, right) => g.cast(build(left, right), 'float32'),
    (left, right) => Number(formula(left, right)),
  ),
  {
    title: 'equal entries, and integers',
    inputs: [],
    build: () => g.cast(build(indices(1, 2, 3), indices(2, 2, 2)), 'float32'),
    expected: [1, 2, 3].map((left) => Number(formula(left, 2))),
  },
];

const softmaxOf = (row: readonly number[]) => {
  const sum = row.reduce((total, x) => total + Math.exp(x), 0);
  return row.map((x) => Math.exp(x) / sum);
};

const A = [
  [1, -2, 3],
  [0.5, 4, -1.25],
];
const B = [
  [2, 1],
  [-1, 0.5],
  [3, -4],
];
const transposed = (rows: number[][]) => rows[0]!.map((_, column) => rows.map((row) => row[column]!));
const product = (left: number[][], right: number[][]) =>
  left.map((row) => transposed(right).map((column) => row.reduce((sum, x, k) => sum + x * column[k]!, 0)));
const AB = product(A, B);
const doubled = AB.map((row) => row.map((x) => 2 * x));
/** B and 2 B, and the same transposed. */
const stack = { shape: [2, 3, 2], values: [...B.flat(), ...B.flat().map((x) => 2 * x)] };
const stackTransposed = {
  shape: [2, 2, 3],
  values: [
    ...transposed(B).flat(),
    ...transposed(B)
      .flat()
      .map((x) => 2 * x),
  ],
};

const CASES: { readonly [Name in OperatorName]: readonly Case[] } = {
  input: [
    unary(
      (x) => x,
      (x) => x,
    ),
  ],
  constant: [
    { title: 'an array with a shape', inputs: [], build: () => g.constant([1, 2.5], [2, 1]), expected: [1, 2.5] },
    { title: 'a number fills its shape', inputs: [], build: () => g.constant(3, [2]), expected: [3, 3] },
  ],
  matmul: [
    ...[false, true].flatMap((transposeLeft) =>
      [false, true].map((transposeRight): Case => ({
        title: `transposed: ${transposeLeft}, ${transposeRight}`,
        inputs: [matrix(...(transposeLeft ? transposed(A) : A)), matrix(...(transposeRight ? transposed(B) : B))],
        build: (left, right) => g.matmul(left, right, { transposeLeft, transposeRight }),
        expected: AB.flat(),
      })),
    ),
    {
      title: 'one matrix with a stack',
      inputs: [matrix(...A), stack],
      build: (left, right) => g.matmul(left, right),
      expected: [...AB, ...doubled].flat(),
    },
    {
      title: 'a stack with a transposed stack',
      inputs: [{ shape: [2, 2, 3], values: [...A.flat(), ...A.flat()] }, stackTransposed],
      build: (left, right) => g.matmul(left, right, { transposeRight: true }),
      expected: [...AB, ...doubled].flat(),
    },
  ],
  add: [
    ...binary(g.add, (left, right) => left + right),
    {
      title: 'a bias on a matrix product',
      inputs: [matrix(...A), matrix(...B), vector(10, 20)],
      build: (left, right, bias) => g.add(g.matmul(left, right), bias),
      expected: AB.flatMap(([first, second]) => [first! + 10, second! + 20]),
    },
  ],
  subtract: binary(g.subtract, (left, right) => left - right),
  multiply: [
    ...binary(g.multiply, (left, right) => left * right),
    {
      ...unary(
        (x) => g.multiply(1, g.multiply(x, g.multiply(2, 3))),
        (x) => 6 * x,
      ),
      title: 'constants are folded',
    },
  ],
  divide: binary(g.divide, (left, right) => left / right),
  minimum: binary(g.minimum, Math.min),
  maximum: binary(g.maximum, Math.max),
  greater: comparison(g.greater, (left, right) => left > right),
  greaterOrEqual: comparison(g.greaterOrEqual, (left, right) => left >= right),
  equal: comparison(g.equal, (left, right) => left === right),
  where: [
    {
      title: 'chooses by entry',
      inputs: [vector(1, 2, 3), vector(40, 50, 60)],
      build: (left, right) => g.where(g.greater(left, 1.5), left, right),
      expected: [40, 2, 3],
    },
    {
      title: 'a scalar branch repeated',
      inputs: [vector(1, 2, 3), { shape: [], values: [7] }],
      build: (left, right) => g.where(g.greater(left, 1.5), left, right),
      expected: [7, 2, 3],
    },
  ],
  negate: [unary(g.negate, (x) => -x)],
  exp: [unary(g.exp, Math.exp)],
  log: [unary(g.log, Math.log, POSITIVE)],
  sqrt: [unary(g.sqrt, Math.sqrt, POSITIVE)],
  square: [unary(g.square, (x) => x * x)],
  abs: [unary(g.abs, Math.abs)],
  tanh: [unary(g.tanh, Math.tanh)],
  sigmoid: [unary(g.sigmoid, (x) => 1 / (1 + Math.exp(-x)))],
  relu: [unary(g.relu, (x) => Math.max(x, 0))],
  clip: [
    unary(
      (x) => g.clip(x, -1, 0.5),
      (x) => Math.min(Math.max(x, -1), 0.5),
    ),
  ],
  softmax: [
    { title: 'each row', inputs: [matrix(...A)], build: g.softmax, expected: A.flatMap(softmaxOf) },
    {
      title: 'large entries do not overflow',
      inputs: [vector(1000, 1000)],
      build: g.softmax,
      expected: [0.5, 0.5],
    },
  ],
  logSoftmax: [
    {
      title: 'each row',
      inputs: [matrix(...A)],
      build: g.logSoftmax,
      expected: A.flatMap((row) => softmaxOf(row).map(Math.log)),
    },
    {
      title: 'very unlike entries stay finite',
      inputs: [vector(0, 200)],
      build: g.logSoftmax,
      expected: [-200, 0],
    },
  ],
  reduceSum: [
    { title: 'all axes', inputs: [matrix(...A)], build: (x) => g.reduceSum(x), expected: [5.25] },
    { title: 'the first axis', inputs: [matrix(...A)], build: (x) => g.reduceSum(x, [0]), expected: [1.5, 2, 1.75] },
    {
      title: 'the last axis, kept',
      inputs: [matrix(...A)],
      build: (x) => g.add(g.reduceSum(x, [-1], { keepDims: true }), x),
      expected: [2 + 1, 2 - 2, 2 + 3, 3.25 + 0.5, 3.25 + 4, 3.25 - 1.25],
    },
    { title: 'as a mean', inputs: [matrix(...A)], build: (x) => g.reduceMean(x, [0]), expected: [0.75, 1, 0.875] },
  ],
  reduceMax: [
    { title: 'all axes', inputs: [matrix(...A)], build: (x) => g.reduceMax(x), expected: [4] },
    { title: 'the first axis', inputs: [matrix(...A)], build: (x) => g.reduceMax(x, [0]), expected: [1, 4, 3] },
    {
      title: 'the last axis, kept',
      inputs: [matrix(...A)],
      build: (x) => g.subtract(x, g.reduceMax(x, [-1], { keepDims: true })),
      expected: [1 - 3, -2 - 3, 0, 0.5 - 4, 0, -1.25 - 4],
    },
    { title: 'as the smallest', inputs: [matrix(...A)], build: (x) => g.reduceMin(x, [1]), expected: [-2, -1.25] },
  ],
  argMax: [
    { title: 'the place in each row', inputs: [matrix(...A)], build: (x) => g.argMax(x), expected: [2, 1] },
    {
      title: 'the first of equal entries',
      inputs: [],
      build: () => g.argMax(g.constant([0, 5, 5, -1, -1, -1], [2, 3])),
      expected: [1, 0],
    },
    {
      title: 'picks the entry that another matrix has there',
      inputs: [matrix(...A)],
      build: (x) => g.pick(x, g.argMax(g.constant([1, 2, 0, 3, 2, 1], [2, 3]))),
      expected: [-2, 0.5],
    },
  ],
  reshape: [
    {
      title: 'keeps the order',
      inputs: [matrix(...A)],
      build: (x) => g.add(g.reshape(x, [3, 2]), g.constant([10, 20])),
      expected: [11, 18, 13, 20.5, 14, 18.75],
    },
  ],
  broadcastTo: [
    { title: 'a row', inputs: [vector(1, 2)], build: (x) => g.broadcastTo(x, [2, 2]), expected: [1, 2, 1, 2] },
    {
      title: 'a column',
      inputs: [matrix([1], [2])],
      build: (x) => g.reshape(g.broadcastTo(x, [2, 2]), [4]),
      expected: [1, 1, 2, 2],
    },
    {
      title: 'before an operator that repeats by itself',
      inputs: [vector(1, 2), matrix(...AB)],
      build: (x, y) => g.add(g.broadcastTo(x, [2, 2]), y),
      expected: AB.flatMap(([first, second]) => [first! + 1, second! + 2]),
    },
  ],
  slice: [
    {
      title: 'of the first axis',
      inputs: [matrix(...B)],
      build: (x) => g.slice(x, 0, 1, 3),
      expected: [-1, 0.5, 3, -4],
    },
    { title: 'of the last axis', inputs: [matrix(...B)], build: (x) => g.slice(x, -1, 1, 2), expected: [1, 0.5, -4] },
    {
      title: 'a complete cut',
      inputs: [vector(1, 2, 3)],
      build: (x) => g.add(g.slice(x, 0, 0, 1), g.multiply(g.slice(x, 0, 1, 3), 10)),
      expected: [21, 31],
    },
    {
      title: 'overlapping and with a gap',
      inputs: [vector(1, 2, 3, 4, 5)],
      build: (x) => g.multiply(g.slice(x, 0, 1, 3), g.slice(x, 0, 2, 4)),
      expected: [6, 12],
    },
  ],
  concat: [
    {
      title: 'of the first axis',
      inputs: [matrix([1, 2]), matrix([3, 4], [5, 6])],
      build: (...parts) => g.concat(parts, 0),
      expected: [1, 2, 3, 4, 5, 6],
    },
    {
      title: 'of the last axis',
      inputs: [matrix([1], [2]), matrix([3, 4], [5, 6])],
      build: (...parts) => g.concat(parts, -1),
      expected: [1, 3, 4, 2, 5, 6],
    },
  ],
  gatherRows: [
    {
      title: 'a row taken twice',
      inputs: [matrix(...B)],
      build: (x) => g.gatherRows(x, indices(2, 0, 2)),
      expected: [3, -4, 2, 1, 3, -4],
    },
    { title: 'of a vector', inputs: [vector(5, 6)], build: (x) => g.gatherRows(x, indices(1, 1)), expected: [6, 6] },
  ],
  oneHot: [
    { title: 'a 1 at the index', inputs: [], build: () => g.oneHot(indices(1, 0), 3), expected: [0, 1, 0, 1, 0, 0] },
    {
      title: 'picks an entry of each row',
      inputs: [matrix(...A)],
      build: (x) => g.pick(x, indices(2, 1)),
      expected: [3, 4],
    },
  ],
  cast: [
    {
      title: 'cuts fractions off',
      inputs: [vector(-1.75, 0.25, 2.5)],
      build: (x) => g.cast(x, 'int32'),
      expected: [-1, 0, 2],
    },
    {
      title: 'integers become floats',
      inputs: [],
      build: () => g.multiply(g.cast(indices(1, 2), 'float32'), 0.5),
      expected: [0.5, 1],
    },
  ],
  stopGradient: [
    {
      ...unary(
        (x) => g.stopGradient(x),
        (x) => x,
      ),
      passesNoGradient: true,
    },
  ],
};

/** A case as a graph: its value, and the gradients of a weighted sum of it. */
function graphOf({ inputs, build }: Case) {
  const expressions = inputs.map(({ shape }, index) => g.input(`x${index}`, shape));
  const value = build(...expressions);
  // Unequal weights, so that a gradient that lands on the wrong entry shows.
  const weights = g.constant(
    Array.from({ length: sizeOf(value.shape) }, (_, index) => 1 + 0.5 * index),
    value.shape,
  );
  const isDifferentiable = value.dtype === 'float32';
  const loss = g.reduceSum(g.multiply(isDifferentiable ? value : g.cast(value, 'float32'), weights));
  const slopes = gradients(loss, expressions).map((slope, index) => [`slope${index}`, slope] as const);
  const graph = graphFromOutputs({ value, loss: g.reshape(loss, [1]), ...Object.fromEntries(slopes) });
  const arrays = Object.fromEntries(inputs.map(({ values }, index) => [`x${index}`, Float32Array.from(values)]));
  return { graph, arrays, value, slopes };
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number) {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i += 1) {
    const difference = Math.abs(actual[i]! - expected[i]!);
    expect(difference, `entry ${i}: ${actual[i]} against ${expected[i]}`).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(expected[i]!)),
    );
  }
}

const STEP = 1e-5;

/** ∂loss/∂x of one entry by central differences in double precision. */
function slopeByDifferences(built: ReturnType<typeof graphOf>, name: string, entry: number): number {
  const lossAt = (shift: number) => {
    const moved = Float64Array.from(built.arrays[name]!);
    moved[entry]! += shift;
    return referenceOutputs(built.graph, { ...built.arrays, [name]: moved })['loss']![0]!;
  };
  return (lossAt(STEP) - lossAt(-STEP)) / (2 * STEP);
}

test('every operator has a case', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(Object.keys(GRADIENT_RULES).toSorted());
  for (const [name, cases] of Object.entries(CASES)) expect(cases.length, name).toBeGreaterThan(0);
});

test('every case uses its operator', () => {
  for (const [name, cases] of Object.entries(CASES)) {
    const used = cases.flatMap((each) => graphOf(each).graph.nodes.map(({ op }) => op as string));
    expect(used, name).toContain(name);
  }
});

const note = agreementTable(Object.keys(EXECUTORS));

for (const [name, cases] of Object.entries(CASES)) {
  describe(name, () => {
    for (const each of cases) {
      test(`${each.title}: has the value of its definition`, () => {
        const { graph, arrays } = graphOf(each);
        expectClose(referenceOutputs(graph, arrays)['value']!, each.expected, 1e-12);
      });

      test(`${each.title}: its gradients are those of finite differences`, () => {
        const built = graphOf(each);
        const outputs = referenceOutputs(built.graph, built.arrays);
        each.inputs.forEach(({ values }, index) => {
          const differences = values.map((_, entry) =>
            each.passesNoGradient ? 0 : slopeByDifferences(built, `x${index}`, entry),
          );
          expectClose(outputs[`slope${index}`]!, differences, 1e-6);
        });
        expect(built.slopes.length).toBe(each.inputs.length);
      });

      test.each(Object.entries(EXECUTORS))(
        `${each.title}: %s agrees with the slow reference`,
        async (library, executor) => {
          const { graph, arrays } = graphOf(each);
          const actual = await outputsOnce(executor, graph, arrays);
          const expected = referenceOutputs(graph, arrays);
          for (const output of Object.keys(expected)) {
            expectClose(actual[output]!, expected[output]!, 1e-5);
            note(name, library, largestDifference(actual[output]!, expected[output]!));
          }
        },
      );
    }
  });
}

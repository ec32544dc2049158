import './no-telemetry.ts';
import * as ort from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { graphFromOutputs } from '../../learning/graph/graph.ts';
import { multiLayerPerceptron, type Perceptron, perceptronShapes } from '../../learning/graph/layers.ts';
import {
  add,
  broadcastTo,
  concat,
  constant,
  gatherRows,
  input,
  matmul,
  multiply,
  negate,
  reduceSum,
  reshape,
  slice,
  softmax,
} from '../../learning/graph/operators.ts';
import { layoutFromShapes, layoutSize, parametersFromFlat } from '../../learning/graph/parameters.ts';
import { referenceOutputs } from '../../test/support/reference-executor.ts';
import { onnxModelFromGraph } from './model.ts';

const isMismatch = expect.objectContaining({ code: 'DEFECT_SHAPE_MISMATCH' });

const perceptron: Perceptron = { name: 'actor', sizes: [3, 4, 2], activation: 'tanh' };
const layout = layoutFromShapes(perceptronShapes(perceptron));
const weights = Float32Array.from({ length: layoutSize(layout) }, (_, index) => Math.sin(3 * index));

/** A policy with its weights inside, for a stated number of rows. */
function policyGraph(rows: number) {
  const parameters = parametersFromFlat(constant(weights), layout);
  return graphFromOutputs({
    probabilities: softmax(multiLayerPerceptron(input('observations', [rows, 3]), parameters, perceptron)),
  });
}

/** Names of operations in the order of the model: `name` fields are `<operation>_<first output>`. */
function operationsOf(model: Uint8Array): string[] {
  const text = Buffer.from(model).toString('latin1');
  return [...text.matchAll(/\b(Gemm|Add|MatMul|Split|Slice|Identity|Reshape)_/g)].map((match) => match[1]!);
}

test('a model with dynamic rows takes any number of rows and agrees with the reference', async () => {
  const model = onnxModelFromGraph(policyGraph(1), { dynamicRows: true, metadata: {} });
  const session = await ort.InferenceSession.create(model);
  expect(session.inputNames).toEqual(['observations']);
  expect(session.outputNames).toEqual(['probabilities']);
  for (const rows of [1, 2, 7]) {
    const observations = Float32Array.from({ length: rows * 3 }, (_, index) => Math.cos(index));
    const feeds = { observations: new ort.Tensor('float32', observations, [rows, 3]) };
    const { probabilities } = await session.run(feeds);
    const expected = referenceOutputs(policyGraph(rows), { observations })['probabilities']!;
    expect(probabilities!.dims).toEqual([rows, 2]);
    expected.forEach((value, index) => expect(probabilities!.data[index]).toBeCloseTo(value, 5));
  }
  await session.release();
});

test('a reshape that keeps the rows leaves their number open', async () => {
  const graph = graphFromOutputs({ y: reshape(input('x', [5, 2, 3]), [5, 6]) });
  const session = await ort.InferenceSession.create(onnxModelFromGraph(graph, { dynamicRows: true, metadata: {} }));
  const { y } = await session.run({ x: new ort.Tensor('float32', new Float32Array(12), [2, 2, 3]) });
  expect(y!.dims).toEqual([2, 6]);
  await session.release();
});

test('a graph that mixes rows or holds their number cannot leave it open', () => {
  const x = input('x', [4, 2]);
  const options = { dynamicRows: true, metadata: {} };
  const mixing = {
    'a constant for each row': add(x, constant(1, [4, 2])),
    'a fixed repetition': broadcastTo(input('y', [4, 1]), [4, 2]),
    'a sum over rows': reduceSum(x, [0]),
    'a softmax over rows': softmax(input('y', [4])),
    'a product over rows': matmul(x, x, { transposeLeft: true }),
    'some of the rows': slice(x, 0, 0, 2),
    'one row after the other': concat([x, x], 0),
    'a column that does not come with the rows': concat([x, constant(1, [4, 1])], 1),
    'rows looked up in rows': gatherRows(x, input('y', [4], 'int32')),
    'rows folded': reshape(x, [2, 4]),
    'no rows at all': constant(1, [4]),
  };
  for (const [title, y] of Object.entries(mixing)) {
    expect(() => onnxModelFromGraph(graphFromOutputs({ out: y, copy: negate(x) }), options), title).toThrow(isMismatch);
  }
  const unequal = graphFromOutputs({ out: negate(x), other: negate(input('y', [3, 2])) });
  expect(() => onnxModelFromGraph(unequal, options)).toThrow(isMismatch);
});

test('constants whose first axis happens to be as long as the rows do not hold their number', async () => {
  const x = input('x', [1, 1]);
  const y = add(multiply(matmul(x, constant([2, 3], [1, 2])), constant(10, [1, 1])), constant([1]));
  const model = onnxModelFromGraph(graphFromOutputs({ y }), { dynamicRows: true, metadata: {} });
  const session = await ort.InferenceSession.create(model);
  const outputs = await session.run({ x: new ort.Tensor('float32', Float32Array.of(1, 2), [2, 1]) });
  expect([...(outputs['y']!.data as Float32Array)]).toEqual([21, 31, 41, 61]);
  await session.release();
});

test('metadata is in the model', () => {
  const model = onnxModelFromGraph(policyGraph(1), { dynamicRows: true, metadata: { family: 'simple_spread' } });
  expect(Buffer.from(model).toString('latin1')).toMatch(/family.{1,4}simple_spread/s);
});

test('the same graph is the same bytes', () => {
  const options = { dynamicRows: false, metadata: {} };
  expect(onnxModelFromGraph(policyGraph(3), options)).toEqual(onnxModelFromGraph(policyGraph(3), options));
});

test('a product with a bias is one operation, and so is a complete cut into slices', () => {
  const flat = input('flat', [layoutSize(layout)]);
  const y = multiLayerPerceptron(input('x', [5, 3]), parametersFromFlat(flat, layout), perceptron);
  const operations = operationsOf(onnxModelFromGraph(graphFromOutputs({ y }), { dynamicRows: false, metadata: {} }));
  expect(operations.filter((each) => each === 'Gemm').length).toBe(2);
  expect(operations.filter((each) => each === 'Split').length).toBe(1);
  expect(operations).not.toContain('Add');
  expect(operations).not.toContain('Slice');
});

test('a product that something else needs too keeps its own operation', () => {
  const product = matmul(input('x', [5, 3]), input('w', [3, 2]));
  const graph = graphFromOutputs({ product, biased: add(product, input('bias', [2])) });
  expect(operationsOf(onnxModelFromGraph(graph, { dynamicRows: false, metadata: {} }))).toEqual(['Gemm', 'Add']);
});

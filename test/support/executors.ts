import * as tf from '@tensorflow/tfjs';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { createTensorflowExecutor } from '../../infra/tensorflow/executor.ts';
import type { CompiledGraph, Executor, NamedArrays } from '../../learning/executor.ts';
import type { Graph } from '../../learning/graph/expression.ts';
import { sizeOf } from '../../learning/graph/shapes.ts';

// Without its advice to install a faster package.
tf.enableProdMode();
await tf.setBackend('cpu');

/** Those that are shipped, by the name of their library; TensorFlow.js in plain JavaScript, which is everywhere. */
export const EXECUTORS: Readonly<Record<string, Executor>> = {
  'ONNX Runtime': createOnnxExecutor(),
  'TensorFlow.js': createTensorflowExecutor(tf),
};

/** Tensors that TensorFlow.js holds now. */
export const tensorCount = (): number => tf.memory().numTensors;

/** Arrays that take the outputs of a graph. */
export function outputArrays({ outputs, nodes }: Graph): Record<string, Float32Array | Int32Array> {
  return Object.fromEntries(
    outputs.map(({ name, node }) => {
      const { shape, dtype } = nodes[node]!;
      return [name, dtype === 'int32' ? new Int32Array(sizeOf(shape)) : new Float32Array(sizeOf(shape))];
    }),
  );
}

/** Compiles a graph, runs it once and releases it. @param inputs may hold more than the graph takes */
export async function outputsOnce(executor: Executor, graph: Graph, inputs: NamedArrays) {
  const compiled: CompiledGraph = await executor.compile(graph);
  const fed = Object.fromEntries(graph.inputs.map(({ name }) => [name, inputs[name]!]));
  const outputs = outputArrays(graph);
  await compiled.run(fed, outputs);
  await compiled.release();
  return outputs;
}

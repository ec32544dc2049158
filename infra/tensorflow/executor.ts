import type { Tensor } from '@tensorflow/tfjs';
import type { CompiledGraph, Executor, NamedArrays } from '../../learning/executor.ts';
import type { Graph, GraphInput, GraphNode, OperatorName } from '../../learning/graph/expression.ts';
import { graphArray } from '../graph-array.ts';
import { KERNELS, type Tensorflow } from './kernels.ts';

/**
 * Runs graphs on TensorFlow.js, one operator after the other, on whatever the package computes with: plain JavaScript,
 * TensorFlow's own library on the processor, or a GPU. Every run copies its inputs to there and its outputs back.
 */
export function createTensorflowExecutor(tf: Tensorflow): Executor {
  const { name, isGpu } = deviceOf(tf);
  let peakBytes = 0;
  const noteMemory = (): void => {
    peakBytes = Math.max(peakBytes, tf.memory().numBytes);
  };
  return {
    name: `tensorflow-${name}`,
    version: tf.version_core,
    compile: async (graph) => new InterpretedGraph(tf, graph, noteMemory),
    peakGpuBytes: () => (isGpu ? peakBytes : null),
  };
}

/** What a package computes with. The native one says by itself whether it found a GPU. */
function deviceOf(tf: Tensorflow): { readonly name: string; readonly isGpu: boolean } {
  const backend = tf.backend() as { isUsingGpuDevice?: boolean };
  if (backend.isUsingGpuDevice === undefined) return { name: `javascript-${tf.getBackend()}`, isGpu: false };
  return backend.isUsingGpuDevice ? { name: 'cuda', isGpu: true } : { name: 'cpu', isGpu: false };
}

class InterpretedGraph implements CompiledGraph {
  private readonly tf: Tensorflow;
  private readonly graph: Graph;
  private readonly noteMemory: () => void;
  /** By id of their nodes. They stay on the device from run to run. */
  private readonly constants: ReadonlyMap<number, Tensor>;
  private readonly outputs: readonly GraphInput[];

  constructor(tf: Tensorflow, graph: Graph, noteMemory: () => void) {
    this.tf = tf;
    this.graph = graph;
    this.noteMemory = noteMemory;
    this.constants = constantsOf(tf, graph);
    this.outputs = graph.outputs.map(({ name, node }) => ({ ...graph.nodes[node]!, name }));
  }

  async run(inputs: NamedArrays, outputs: NamedArrays): Promise<void> {
    const targets = this.outputs.map((output) => graphArray(output, outputs[output.name]));
    const results = this.tf.tidy(() => this.compute(inputs));
    for (const [index, result] of results.entries()) {
      targets[index]!.set(await result.data());
      result.dispose();
    }
  }

  /** @returns the outputs, each a tensor of its own even where one is an input, a constant or another output */
  private compute(inputs: NamedArrays): Tensor[] {
    const { tf, graph, constants } = this;
    const fed = graph.inputs.map((each) => {
      const array = graphArray(each, inputs[each.name]);
      return [each.name, tf.tensor(array, [...each.shape], each.dtype)] as const;
    });
    const tensorOfInput = new Map(fed);
    const values: Tensor[] = [];
    for (const node of graph.nodes) {
      if (isInput(node)) values.push(tensorOfInput.get(node.attributes.name)!);
      else values.push(constants.get(node.id) ?? this.applied(node, values));
    }
    this.noteMemory();
    return graph.outputs.map(({ node }) => tf.clone(values[node]!));
  }

  private applied(node: GraphNode, values: readonly Tensor[]): Tensor {
    const kernel = KERNELS[node.op as keyof typeof KERNELS] as (
      tf: Tensorflow,
      inputs: readonly Tensor[],
      node: GraphNode,
    ) => Tensor;
    return kernel(
      this.tf,
      node.inputs.map((id) => values[id]!),
      node,
    );
  }

  async release(): Promise<void> {
    for (const tensor of this.constants.values()) tensor.dispose();
  }
}

function constantsOf(tf: Tensorflow, graph: Graph): ReadonlyMap<number, Tensor> {
  const constants = graph.nodes.filter((node): node is GraphNode<'constant'> => node.op === 'constant');
  return new Map(
    constants.map(({ id, attributes, shape, dtype }) => [
      id,
      tf.keep(tf.tensor(attributes.values, [...shape], dtype as 'float32')),
    ]),
  );
}

function isInput(node: GraphNode<OperatorName>): node is GraphNode<'input'> {
  return node.op === 'input';
}

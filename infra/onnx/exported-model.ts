import type { Graph, GraphNode } from '../../learning/graph/expression.ts';
import type { PolicyGraph } from '../../learning/transfer/policy-graph.ts';
import { onnxModelFromGraph } from './model.ts';
import { OPSET_VERSION } from './model-proto.ts';

/** The array of a policy that normalises what it sees, see `weightsWithMoments`. */
const OBSERVATION_MEAN = 'observation_mean';

/** Where a named array of a policy is: in an initializer, which arrays that are equal share, or here. */
export type StoredArray = { readonly shape: readonly number[] } & (
  { readonly initializer: string } | { readonly values: readonly number[] }
);

/** A policy, or a graph whose weights have no names. */
type Exported = Graph & Partial<Pick<PolicyGraph, 'weights'>>;

/**
 * A policy as a file for any number of rows. Beside what the caller says of it, its metadata tell
 *
 *     inputs, outputs    name → shape, as JSON
 *     opset              of ONNX
 *     normalization      `inside` where observations are shifted and scaled in the model, else `none`
 *     memory_size        numbers that go from `memory_next` back into `memory`; 0 without a memory
 *     output, acting     what comes out, and how an action is chosen, in words
 *     layout             name of each array of weights → `StoredArray`, as JSON
 */
export function exportedModel(graph: Exported, metadata: Readonly<Record<string, string>>): Uint8Array {
  const constants = new Map<number, string>();
  const layout = JSON.stringify(layoutOf(graph, constants));
  return onnxModelFromGraph(graph, {
    dynamicRows: true,
    metadata: { ...metadata, ...descriptionOf(graph), ...(graph.weights && { layout }) },
    constants,
  });
}

/** @param constants filled: id of a node → the first of the arrays that it holds */
function layoutOf({ nodes, weights }: Exported, constants: Map<number, string>): Record<string, StoredArray> {
  const stored: Record<string, StoredArray> = {};
  for (const [name, { offset, shape }] of Object.entries(weights?.layout ?? {})) {
    const size = shape.reduce((product, length) => product * length, 1);
    const values = weights!.values.subarray(offset, offset + size);
    const node = nodes.find((each) => holds(each, shape, values));
    if (node === undefined) stored[name] = { shape, values: [...values] };
    else {
      if (!constants.has(node.id)) constants.set(node.id, name);
      stored[name] = { shape, initializer: constants.get(node.id)! };
    }
  }
  return stored;
}

function holds(node: GraphNode, shape: readonly number[], values: Float32Array): boolean {
  if (node.op !== 'constant' || node.shape.join() !== shape.join()) return false;
  const held = (node as GraphNode<'constant'>).attributes.values;
  return values.every((value, index) => Object.is(value, held[index]));
}

function descriptionOf(graph: Exported): Record<string, string> {
  const shape = (sizes: readonly number[]): (string | number)[] => ['rows', ...sizes.slice(1)];
  const inputs = graph.inputs.map((each) => [each.name, shape(each.shape)] as const);
  const outputs = graph.outputs.map(({ name, node }) => [name, shape(graph.nodes[node]!.shape)] as const);
  const memorySize = graph.inputs.find(({ name }) => name === 'memory')?.shape[1] ?? 0;
  const isNormalized = graph.weights !== undefined && Object.hasOwn(graph.weights.layout, OBSERVATION_MEAN);
  const isDiscrete = outputs.some(([name]) => name === 'logits');
  return {
    inputs: JSON.stringify(Object.fromEntries(inputs)),
    outputs: JSON.stringify(Object.fromEntries(outputs)),
    opset: String(OPSET_VERSION),
    normalization: isNormalized ? 'inside' : 'none',
    memory_size: String(memorySize),
    output: isDiscrete ? 'unnormalised log probability of each action' : 'most probable action, mean, log deviation',
    acting: actingText(isDiscrete, memorySize > 0),
  };
}

/** How an action is chosen, in words. */
export function actingText(isDiscrete: boolean, isRecurrent: boolean): string {
  const action = isDiscrete
    ? 'the largest of logits, or drawn from softmax(logits)'
    : 'action as it is; or drawn from normal(mean, exp(log_std)), clipped to [-1, 1] and scaled to low ... high';
  return isRecurrent ? `${action}; memory is 0 where an episode starts, else memory_next of the step before` : action;
}

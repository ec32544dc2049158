import type { Graph, GraphNode, OperatorName, Shape } from '../../learning/graph/expression.ts';
import { rowCarryingNodes } from './dynamic-rows.ts';
import { createEmitter, EMISSIONS, type Emitter, type Site } from './emission.ts';
import { biasedProducts, emitBiasedProduct, emitSplit, splitGroups } from './fusions.ts';
import { encodedModel, type ElementType, type OnnxValue } from './model-proto.ts';

export interface ModelOptions {
  /**
   * Whether the first axis of every input and output, which must be one size R throughout, is left open under the name
   * `rows`, so that a model built for R rows takes any number of them.
   */
  readonly dynamicRows: boolean;
  /** Text stored in the model for whoever opens it. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Names of constants that somebody is to find, by the ids of their nodes. */
  readonly constants?: ReadonlyMap<number, string>;
}

/**
 * A graph as the bytes of an ONNX model.
 * @throws DEFECT_SHAPE_MISMATCH when rows shall be dynamic and some node holds their number
 */
export function onnxModelFromGraph(graph: Graph, options: ModelOptions): Uint8Array {
  const carrying = options.dynamicRows ? rowCarryingNodes(graph) : new Set<number>();
  const emitter = createEmitter(({ id, shape }) => (carrying.has(id) ? shape.with(0, -1) : shape));
  const names = valueNames(graph, options.constants);
  emitGraph(emitter, graph, names);
  for (const { name, node } of graph.outputs) {
    if (names[node] !== name) emitter.emit('Identity', [names[node]!], name);
  }
  return encodedModel({
    nodes: emitter.nodes,
    initializers: emitter.initializers,
    inputs: graph.inputs.map((each) => valueFrom(each.name, each, options.dynamicRows)),
    outputs: graph.outputs.map(({ name, node }) => valueFrom(name, graph.nodes[node]!, options.dynamicRows)),
    metadata: options.metadata,
  });
}

/** Everything between inputs and outputs. @param names of the values, by the ids of their nodes */
export function emitGraph(emitter: Emitter, graph: Graph, names: readonly string[]): void {
  const groups = splitGroups(graph);
  const biased = biasedProducts(graph);
  const isAbsorbed = new Set([...biased.values()].map((product) => product.id));
  for (const node of graph.nodes) {
    const product = biased.get(node.id);
    const split = groups.get(node.id);
    if (product) emitBiasedProduct(emitter, names, node, product);
    else if (split) emitSplit(emitter, names, graph, node as GraphNode<'slice'>, split);
    else if (!isAbsorbed.has(node.id)) emitNode(emitter, names, graph, node);
  }
}

function valueFrom(
  name: string,
  { shape, dtype }: { shape: Shape; dtype: string },
  hasDynamicRows: boolean,
): OnnxValue {
  return { name, type: dtype as ElementType, shape: hasDynamicRows ? ['rows', ...shape.slice(1)] : shape };
}

/** Inputs, outputs and some constants keep their own names, so that a user finds them; all else is called by its id. */
function valueNames(graph: Graph, constants: ModelOptions['constants']): string[] {
  const names = graph.nodes.map((node) =>
    node.op === 'input' ? (node as GraphNode<'input'>).attributes.name : (constants?.get(node.id) ?? `#${node.id}`),
  );
  for (const { name, node } of graph.outputs) {
    const { op } = graph.nodes[node]!;
    if (op !== 'input' && op !== 'constant') names[node] = name;
  }
  return names;
}

function emitNode(emitter: Emitter, names: readonly string[], graph: Graph, node: GraphNode): void {
  if (node.op === 'input') return;
  const site: Site = {
    emitter,
    inputs: node.inputs.map((id) => names[id]!),
    sources: node.inputs.map((id) => graph.nodes[id]!),
    output: names[node.id]!,
  };
  (EMISSIONS[node.op] as (node: GraphNode<OperatorName>, site: Site) => void)(node, site);
}

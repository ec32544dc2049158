import type { Graph, GraphNode } from '../../learning/graph/expression.ts';
import type { Emitter } from './emission.ts';

// Several nodes of a graph that are one operation of ONNX. At minibatches of a few hundred rows the number of
// operations is a good part of the time.

/** Sums of a matrix product that nothing else uses and a bias [N]: id of the sum → the product. They become one Gemm. */
export function biasedProducts(graph: Graph): Map<number, GraphNode<'matmul'>> {
  const uses = new Array<number>(graph.nodes.length).fill(0);
  for (const node of graph.nodes) for (const id of node.inputs) uses[id]! += 1;
  for (const { node } of graph.outputs) uses[node]! += 1;
  const biased = new Map<number, GraphNode<'matmul'>>();
  for (const node of graph.nodes) {
    const [left, right] = node.inputs.map((id) => graph.nodes[id]!);
    const isFusible =
      node.op === 'add' &&
      left!.op === 'matmul' &&
      uses[left!.id] === 1 &&
      left!.inputs.every((id) => graph.nodes[id]!.shape.length === 2) &&
      right!.shape.length === 1 &&
      right!.shape[0] === left!.shape[1];
    if (isFusible) biased.set(node.id, left as GraphNode<'matmul'>);
  }
  return biased;
}

export function emitBiasedProduct(
  emitter: Emitter,
  names: readonly string[],
  sum: GraphNode,
  { inputs, attributes }: GraphNode<'matmul'>,
): void {
  const operands = [...inputs, sum.inputs[1]!].map((id) => names[id]!);
  const { transposeLeft, transposeRight } = attributes;
  emitter.emit('Gemm', operands, names[sum.id]!, { transA: Number(transposeLeft), transB: Number(transposeRight) });
}

/** Slices that cut one value completely into neighbours: id of each → all of them in order. They become one Split. */
export function splitGroups(graph: Graph): Map<number, readonly GraphNode<'slice'>[]> {
  const slices = graph.nodes.filter((node): node is GraphNode<'slice'> => node.op === 'slice');
  const byCut = new Map<string, GraphNode<'slice'>[]>();
  for (const node of slices) {
    const cut = `${node.inputs[0]} ${node.attributes.axis}`;
    byCut.set(cut, [...(byCut.get(cut) ?? []), node]);
  }
  const groups = new Map<number, readonly GraphNode<'slice'>[]>();
  for (const group of byCut.values()) {
    const sorted = group.toSorted((a, b) => a.attributes.start - b.attributes.start);
    const { inputs, attributes } = sorted[0]!;
    const length = graph.nodes[inputs[0]!]!.shape[attributes.axis];
    const isComplete =
      attributes.start === 0 &&
      sorted.at(-1)!.attributes.end === length &&
      sorted.slice(1).every((node, index) => node.attributes.start === sorted[index]!.attributes.end);
    if (isComplete) for (const node of group) groups.set(node.id, sorted);
  }
  return groups;
}

/** Written where the earliest of the slices stood. */
export function emitSplit(
  emitter: Emitter,
  names: readonly string[],
  graph: Graph,
  node: GraphNode<'slice'>,
  group: readonly GraphNode<'slice'>[],
): void {
  if (node.id !== Math.min(...group.map(({ id }) => id))) return;
  const { axis } = node.attributes;
  const lengths = group.map(({ shape }) => shape[axis]!);
  const sizes = emitter.hold(`${names[node.id]}_sizes`, BigInt64Array.from(lengths, BigInt), [lengths.length]);
  const source = names[graph.nodes[node.inputs[0]!]!.id]!;
  emitter.emit(
    'Split',
    [source, sizes],
    group.map(({ id }) => names[id]!),
    { axis },
  );
}

import type { Graph, GraphNode, OperatorName } from '../../learning/graph/expression.ts';
import { ThawError } from '../../schemas/errors.ts';

/**
 * The nodes whose first axis is the rows of the inputs, for a model that shall take any number of rows.
 * @throws DEFECT_SHAPE_MISMATCH when inputs and outputs do not share their first axis, or a node mixes rows or holds
 *   their number
 */
export function rowCarryingNodes(graph: Graph): ReadonlySet<number> {
  const rows = graph.inputs[0]?.shape[0];
  if (rows === undefined || graph.inputs.some(({ shape }) => shape[0] !== rows)) {
    throw new ThawError('DEFECT_SHAPE_MISMATCH', 'dynamic rows: the inputs do not share their first axis');
  }
  const carrying = new Set<number>();
  for (const node of graph.nodes) {
    if (node.op !== 'input' && !node.inputs.some((id) => carrying.has(id))) continue;
    if (!keepsRows(node, graph, carrying)) {
      throw new ThawError(
        'DEFECT_SHAPE_MISMATCH',
        `dynamic rows: ${node.op} mixes rows or holds their number, ${rows}`,
      );
    }
    carrying.add(node.id);
  }
  const independent = graph.outputs.find(({ node }) => !carrying.has(node));
  if (independent) {
    throw new ThawError('DEFECT_SHAPE_MISMATCH', `dynamic rows: output ${independent.name} does not depend on inputs`);
  }
  return carrying;
}

/** Whether row k of the result depends on row k of the inputs alone, however many there are. */
function keepsRows(node: GraphNode, graph: Graph, carrying: ReadonlySet<number>): boolean {
  const sources = node.inputs.map((id) => graph.nodes[id]!);
  const isCarrying = sources.map(({ id }) => carrying.has(id));
  switch (node.op) {
    case 'matmul':
      return isCarrying[0]! && !isCarrying[1] && sources[1]!.shape.length === 2 && !transposesRows(node);
    case 'reduceSum':
    case 'reduceMax':
      return !(node as GraphNode<'reduceSum' | 'reduceMax'>).attributes.axes.includes(0);
    case 'softmax':
    case 'logSoftmax':
      return node.shape.length > 1;
    case 'reshape':
      return node.shape[0] === sources[0]!.shape[0];
    case 'broadcastTo':
      return false;
    case 'slice':
      return (node as GraphNode<'slice'>).attributes.axis !== 0;
    case 'concat':
      return (node as GraphNode<'concat'>).attributes.axis !== 0 && isCarrying.every(Boolean);
    case 'gatherRows':
      return !isCarrying[0];
    case 'oneHot':
    case 'argMax':
      return true;
    default:
      // Elementwise: what does not carry rows may only be repeated over them.
      return sources.every(({ shape }, index) =>
        isCarrying[index] ? shape.length === node.shape.length : shape.length < node.shape.length || shape[0] === 1,
      );
  }
}

/** With two axes, the rows of a transposed left factor would be summed over. */
function transposesRows(node: GraphNode<OperatorName>): boolean {
  return (node as GraphNode<'matmul'>).attributes.transposeLeft && node.shape.length === 2;
}

import { type Graph, type GraphNode } from '../../../learning/graph/expression.ts';
import { sizeOf } from '../../../learning/graph/shapes.ts';

/**
 * Multiplications with an addition each that one run of a graph makes in its matrix products: rows · columns · inner size.
 * What it does element by element is left out, as it is where the speed of a large product is told.
 */
export function multiplyAdds({ nodes }: Graph): number {
  return nodes.reduce((sum, node) => {
    if (node.op !== 'matmul') return sum;
    const { transposeLeft } = (node as GraphNode<'matmul'>).attributes;
    const left = nodes[node.inputs[0]!]!.shape;
    return sum + sizeOf(node.shape) * left.at(transposeLeft ? -2 : -1)!;
  }, 0);
}

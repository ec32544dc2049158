import type { Graph } from '../graph/expression.ts';
import type { NamedWeights } from './named-weights.ts';

/** A policy as a graph, and the weights inside it by their names. */
export interface PolicyGraph extends Graph {
  /** Each of its arrays that acting needs is a constant of the graph. */
  readonly weights: NamedWeights;
}

/**
 * Expressions: an algorithm is an expression of its loss, its gradients are expressions again, and an executor runs the
 * lot as one graph of plain data.
 *
 *     const network = { name: 'actor', sizes: [18, 64, 5], activation: 'tanh' } as const;
 *     const layout = layoutFromShapes(perceptronShapes(network));
 *     const flat = input('parameters', [layoutSize(layout)]);
 *     const rows = input('rows', [600], 'int32');
 *     const x = gatherRows(input('observations', [19200, 18]), rows);
 *     const actions = gatherRows(input('actions', [19200], 'int32'), rows);
 *     const logits = multiLayerPerceptron(x, parametersFromFlat(flat, layout), network);
 *     const loss = negate(reduceMean(pick(logSoftmax(logits), actions)));
 *     const [gradient] = gradients(loss, [flat]);
 *     const compiled = await executor.compile(graphFromOutputs({ loss, gradient: gradient! }));
 *     await compiled.run({ parameters, rows, observations, actions }, { loss: lossOut, gradient: gradientOut });
 *
 * Shapes are static and checked while an expression is built. One operator is one entry in five tables, which the
 * compiler keeps complete: `OperatorAttributes` here, the builder in `operators.ts`, `GRADIENT_RULES`, the emission of
 * each executor in `infra/`, and the slow evaluation in `test/support/reference-executor.ts`.
 */

/** `bool` exists only between a comparison and what uses it: inputs and outputs of a graph are numbers. */
export type DataType = 'float32' | 'int32' | 'bool';

/** Sizes of the axes, outermost first; `[]` is a scalar. */
export type Shape = readonly number[];

type None = Readonly<Record<never, never>>;

/** Every operator with what it needs beside its inputs. Result shape and type stand in the node itself. */
export interface OperatorAttributes {
  readonly input: { readonly name: string };
  /** Row-major values, as many as the shape holds. */
  readonly constant: { readonly values: Float32Array | Int32Array };
  readonly matmul: { readonly transposeLeft: boolean; readonly transposeRight: boolean };
  readonly add: None;
  readonly subtract: None;
  readonly multiply: None;
  readonly divide: None;
  readonly minimum: None;
  readonly maximum: None;
  readonly greater: None;
  readonly greaterOrEqual: None;
  readonly equal: None;
  readonly where: None;
  readonly negate: None;
  readonly exp: None;
  readonly log: None;
  readonly sqrt: None;
  readonly square: None;
  readonly abs: None;
  readonly tanh: None;
  readonly sigmoid: None;
  readonly relu: None;
  readonly clip: { readonly low: number; readonly high: number };
  readonly softmax: None;
  readonly logSoftmax: None;
  readonly reduceSum: { readonly axes: readonly number[]; readonly keepDims: boolean };
  readonly reduceMax: { readonly axes: readonly number[]; readonly keepDims: boolean };
  readonly argMax: None;
  readonly reshape: None;
  readonly broadcastTo: None;
  readonly slice: { readonly axis: number; readonly start: number; readonly end: number };
  readonly concat: { readonly axis: number };
  readonly gatherRows: None;
  readonly oneHot: None;
  readonly cast: None;
  readonly stopGradient: None;
}

export type OperatorName = keyof OperatorAttributes;

/** A value that is computed from other values. Immutable; built only by the functions of `operators.ts`. */
export interface Expression<Name extends OperatorName = OperatorName> {
  readonly op: Name;
  readonly inputs: readonly Expression[];
  readonly attributes: OperatorAttributes[Name];
  readonly shape: Shape;
  readonly dtype: DataType;
}

/** An expression inside a graph: its inputs are ids of earlier nodes, and its own id is its place. */
export interface GraphNode<Name extends OperatorName = OperatorName> {
  readonly id: number;
  readonly op: Name;
  readonly inputs: readonly number[];
  readonly attributes: OperatorAttributes[Name];
  readonly shape: Shape;
  readonly dtype: DataType;
}

export interface GraphInput {
  readonly name: string;
  readonly shape: Shape;
  readonly dtype: DataType;
}

interface GraphOutput {
  readonly name: string;
  /** Id of the node whose value it is. */
  readonly node: number;
}

/** Plain data: what executors compile. Nodes stand after their inputs; equal nodes are one; none is unused. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly inputs: readonly GraphInput[];
  readonly outputs: readonly GraphOutput[];
}

/** Whether an expression is of one operator; narrows its attributes. */
export function isOperator<Name extends OperatorName>(node: Expression, op: Name): node is Expression<Name> {
  return node.op === op;
}

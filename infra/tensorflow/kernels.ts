import type * as tensorflow from '@tensorflow/tfjs';
import type { Tensor } from '@tensorflow/tfjs';
import type { GraphNode, OperatorName, Shape } from '../../learning/graph/expression.ts';

/** TensorFlow.js, whichever of its packages: they all have the same functions. */
export type Tensorflow = typeof tensorflow;

/** y from the values of a node's inputs. */
type Kernel<Name extends OperatorName> = (tf: Tensorflow, inputs: readonly Tensor[], node: GraphNode<Name>) => Tensor;

const unary =
  (compute: (tf: Tensorflow, x: Tensor) => Tensor): Kernel<OperatorName> =>
  (tf, [x]) =>
    compute(tf, x!);

const binary =
  (compute: (tf: Tensorflow, left: Tensor, right: Tensor) => Tensor): Kernel<OperatorName> =>
  (tf, [left, right]) =>
    compute(tf, left!, right!);

/** Stacks of matrices multiply only with stacks of as many axes. */
function withRank(tf: Tensorflow, x: Tensor, rank: number): Tensor {
  return x.rank === rank ? x : tf.reshape(x, [...new Array<number>(rank - x.rank).fill(1), ...x.shape]);
}

const matmul: Kernel<'matmul'> = (tf, inputs, { shape, attributes }) => {
  const [left, right] = inputs.map((x) => withRank(tf, x, shape.length));
  return tf.matMul(left!, right!, attributes.transposeLeft, attributes.transposeRight);
};

const slice: Kernel<'slice'> = (tf, [x], { shape, attributes: { axis, start } }) =>
  tf.slice(x!, new Array<number>(shape.length).fill(0).with(axis, start), [...shape]);

const sizes = (shape: Shape): number[] => [...shape];

/** How every operator is computed by TensorFlow.js. Inputs and constants are tensors already. */
export const KERNELS: { readonly [Name in Exclude<OperatorName, 'input' | 'constant'>]: Kernel<Name> } = {
  matmul,
  add: binary((tf, left, right) => tf.add(left, right)),
  subtract: binary((tf, left, right) => tf.sub(left, right)),
  multiply: binary((tf, left, right) => tf.mul(left, right)),
  divide: binary((tf, left, right) => tf.div(left, right)),
  minimum: binary((tf, left, right) => tf.minimum(left, right)),
  maximum: binary((tf, left, right) => tf.maximum(left, right)),
  greater: binary((tf, left, right) => tf.greater(left, right)),
  greaterOrEqual: binary((tf, left, right) => tf.greaterEqual(left, right)),
  equal: binary((tf, left, right) => tf.equal(left, right)),
  where: (tf, [condition, whenTrue, whenFalse]) => tf.where(condition!, whenTrue!, whenFalse!),
  negate: unary((tf, x) => tf.neg(x)),
  exp: unary((tf, x) => tf.exp(x)),
  log: unary((tf, x) => tf.log(x)),
  sqrt: unary((tf, x) => tf.sqrt(x)),
  square: unary((tf, x) => tf.square(x)),
  abs: unary((tf, x) => tf.abs(x)),
  tanh: unary((tf, x) => tf.tanh(x)),
  sigmoid: unary((tf, x) => tf.sigmoid(x)),
  relu: unary((tf, x) => tf.relu(x)),
  clip: (tf, [x], { attributes: { low, high } }) => tf.clipByValue(x!, low, high),
  softmax: unary((tf, x) => tf.softmax(x)),
  logSoftmax: unary((tf, x) => tf.logSoftmax(x)),
  reduceSum: (tf, [x], { attributes: { axes, keepDims } }) => tf.sum(x!, [...axes], keepDims),
  reduceMax: (tf, [x], { attributes: { axes, keepDims } }) => tf.max(x!, [...axes], keepDims),
  argMax: unary((tf, x) => tf.argMax(x, -1)),
  reshape: (tf, [x], { shape }) => tf.reshape(x!, sizes(shape)),
  broadcastTo: (tf, [x], { shape }) => tf.broadcastTo(x!, sizes(shape)),
  slice,
  concat: (tf, inputs, { attributes: { axis } }) => tf.concat([...inputs], axis),
  gatherRows: (tf, [x, indices]) => tf.gather(x!, indices!),
  oneHot: (tf, [indices], { shape }) => tf.oneHot(indices!, shape.at(-1)!, 1, 0, 'float32'),
  cast: (tf, [x], { dtype }) => tf.cast(x!, dtype),
  stopGradient: unary((_tf, x) => x),
};

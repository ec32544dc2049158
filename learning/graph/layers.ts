import { ThawError } from '../../schemas/errors.ts';
import type { RandomStream } from '../../simulators/random.ts';
import type { Expression, Shape } from './expression.ts';
import { add, matmul, relu, tanh } from './operators.ts';
import type { ParameterLayout } from './parameters.ts';
import { sizeOf } from './shapes.ts';

// Letters: M rows, I inputs of a layer, J outputs of a layer.

type Activation = 'tanh' | 'relu';

const ACTIVATIONS: Readonly<Record<Activation, (x: Expression) => Expression>> = { tanh, relu };

export interface Perceptron {
  /** Prefix of its parameters' names. */
  readonly name: string;
  /** Sizes from the input to the output, at least two. */
  readonly sizes: readonly number[];
  /** After every layer but the last. */
  readonly activation: Activation;
}

const layerCount = ({ sizes }: Perceptron): number => sizes.length - 1;

/** Shapes for `layoutFromShapes`: `<name>.<layer>.weight` [I J] and `<name>.<layer>.bias` [J], layers from 0. */
export function perceptronShapes({ name, sizes }: Perceptron): Record<string, Shape> {
  const shapes: Record<string, Shape> = {};
  sizes.slice(1).forEach((outputs, layer) => {
    shapes[`${name}.${layer}.weight`] = [sizes[layer]!, outputs];
    shapes[`${name}.${layer}.bias`] = [outputs];
  });
  return shapes;
}

/** x·W + b: [M I] → [M J]. */
function dense(x: Expression, parameters: Readonly<Record<string, Expression>>, name: string): Expression {
  const weight = parameters[`${name}.weight`];
  const bias = parameters[`${name}.bias`];
  if (!weight || !bias) throw new ThawError('DEFECT_INVARIANT', `no parameters are called ${name}`);
  return add(matmul(x, weight), bias);
}

/** A multi-layer perceptron: [M, first size] → [M, last size]. */
export function multiLayerPerceptron(
  x: Expression,
  parameters: Readonly<Record<string, Expression>>,
  perceptron: Perceptron,
): Expression {
  const activate = ACTIVATIONS[perceptron.activation];
  let y = x;
  for (let layer = 0; layer < layerCount(perceptron); layer += 1) {
    if (layer > 0) y = activate(y);
    y = dense(y, parameters, `${perceptron.name}.${layer}`);
  }
  return y;
}

/**
 * Fills a perceptron's place in the flat vector: weights orthogonal times a gain, biases 0.
 *
 * @param flat [P], the vector of the layout; only this perceptron's part is written
 * @param gains of hidden layers and of the last (customary: √2 and 0.01 for a policy, √2 and 1 for a value)
 * @source Saxe et al. 2014 (arXiv 1312.6120); the gains: Engstrom et al. 2020 (arXiv 2005.12729)
 */
export function initializePerceptron(
  flat: Float32Array,
  layout: ParameterLayout,
  perceptron: Perceptron,
  options: { random: RandomStream; gains: { hidden: number; last: number } },
): void {
  for (let layer = 0; layer < layerCount(perceptron); layer += 1) {
    const weight = layout[`${perceptron.name}.${layer}.weight`]!;
    const bias = layout[`${perceptron.name}.${layer}.bias`]!;
    const gain = layer === layerCount(perceptron) - 1 ? options.gains.last : options.gains.hidden;
    const [rows, columns] = weight.shape as readonly [number, number];
    flat.set(
      orthogonalMatrix(rows, columns, options.random).map((value) => gain * value),
      weight.offset,
    );
    flat.fill(0, bias.offset, bias.offset + sizeOf(bias.shape));
  }
}

/**
 * A matrix [rows columns], row-major, whose shorter side's vectors are orthonormal, uniform among all such (Gram–Schmidt
 * on normal draws; done twice, which makes it as exact as the floating-point numbers are).
 */
export function orthogonalMatrix(rows: number, columns: number, random: RandomStream): Float64Array {
  const length = Math.max(rows, columns);
  const vectors: Float64Array[] = [];
  while (vectors.length < Math.min(rows, columns)) {
    const vector = Float64Array.from({ length }, () => random.nextNormal());
    for (const previous of [...vectors, ...vectors]) {
      const projection = dot(vector, previous);
      for (let i = 0; i < length; i += 1) vector[i]! -= projection * previous[i]!;
    }
    const norm = Math.sqrt(dot(vector, vector));
    vectors.push(vector.map((value) => value / norm));
  }
  return Float64Array.from({ length: rows * columns }, (_, index) => {
    const row = Math.floor(index / columns);
    const column = index % columns;
    return rows <= columns ? vectors[row]![column]! : vectors[column]![row]!;
  });
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i += 1) sum += left[i]! * right[i]!;
  return sum;
}

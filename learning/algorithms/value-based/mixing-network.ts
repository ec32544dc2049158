import type { RandomStream } from '../../../simulators/random.ts';
import type { Expression, Shape } from '../../graph/expression.ts';
import { initializePerceptron, multiLayerPerceptron, type Perceptron, perceptronShapes } from '../../graph/layers.ts';
import { abs, add, maximum, multiply, reduceSum, reshape } from '../../graph/operators.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import type { SharedNetworks } from './value-networks.ts';

// Letters: M transitions, L learners, H units of the mixing network, C numbers that all seats see together.

type Parameters = Readonly<Record<string, Expression>>;

/**
 * A mixing network, whose weights are what four other networks make of the joint observation s:
 *
 *     Q_tot = w₂ᵀ·f(W₁ᵀ q + b₁) + b₂,   f(x) = max(x, x/5),   W₁ = |W₁(s)| [L H], w₂ = |w₂(s)| [H], b₁(s) [H], b₂(s) a perceptron
 *
 * Because no weight is negative, Q_tot rises with every q: what is best for each is best for all. In the place of f the source
 * has an exponential linear unit. That is flat where its sum is far below 0, so where returns are negative, as in
 * `simple_spread`, Q_tot hardly depended on what anybody did: docs/studies/value-based-settings.md.
 *
 * @source Rashid et al. 2018: QMIX (arXiv 1803.11605), section 4
 */
export class MixingNetwork implements SharedNetworks {
  readonly shapes: Readonly<Record<string, Shape>>;
  private readonly size: number;
  private readonly weights: Perceptron;
  private readonly outWeights: Perceptron;
  private readonly bias: Perceptron;
  private readonly outBias: Perceptron;

  /** @param learnerCount L @param jointSize C @param size H */
  constructor(learnerCount: number, jointSize: number, size: number) {
    const linear = (name: string, outputs: number): Perceptron => ({
      name: `mixing.${name}`,
      sizes: [jointSize, outputs],
      activation: 'relu',
    });
    this.size = size;
    this.weights = linear('weights', learnerCount * size);
    this.bias = linear('bias', size);
    this.outWeights = linear('out_weights', size);
    this.outBias = { name: 'mixing.out_bias', sizes: [jointSize, size, 1], activation: 'relu' };
    this.shapes = Object.assign({}, ...this.all.map(perceptronShapes)) as Record<string, Shape>;
  }

  /**
   * Such that at first Q_tot is about the sum of the q: weights come from biases, √(1/H) in both layers, and the joint
   * observation changes them little.
   */
  initialize(flat: Float32Array, layout: ParameterLayout, random: RandomStream): void {
    for (const perceptron of this.all) {
      initializePerceptron(flat, layout, perceptron, { random, gains: { hidden: Math.SQRT2, last: 0.1 } });
    }
    for (const { name } of [this.weights, this.outWeights]) {
      const { offset, shape } = layout[`${name}.0.bias`]!;
      flat.fill(1 / Math.sqrt(this.size), offset, offset + shape[0]!);
    }
  }

  /**
   * Q_tot, [M 1].
   * @param values q, shape [M L]: 0 for learners that are absent, who then add nothing @param joint s, shape [M C]
   */
  mixed(values: Expression, joint: Expression, parameters: Parameters): Expression {
    const [rowCount, learnerCount] = values.shape as readonly [number, number];
    const made = (perceptron: Perceptron): Expression => multiLayerPerceptron(joint, parameters, perceptron);
    const weights = reshape(abs(made(this.weights)), [rowCount, learnerCount, this.size]);
    const products = multiply(reshape(values, [rowCount, learnerCount, 1]), weights);
    const hidden = leaky(add(reduceSum(products, [1]), made(this.bias)));
    const outWeights = abs(made(this.outWeights));
    return add(reduceSum(multiply(hidden, outWeights), [1], { keepDims: true }), made(this.outBias));
  }

  private get all(): readonly Perceptron[] {
    return [this.weights, this.bias, this.outWeights, this.outBias];
  }
}

/** Share of the slope that is left below 0. */
const SLOPE = 0.2;

/** x where positive, else a fifth of it. */
function leaky(x: Expression): Expression {
  return maximum(x, multiply(x, SLOPE));
}

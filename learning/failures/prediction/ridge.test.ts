import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { fitRidge, type LinearModel, predictLinear } from './ridge.ts';

// Letters: n samples, d features.

interface Data {
  readonly features: Float64Array;
  readonly targets: Float64Array;
}

/** Features of different widths and means, targets that no linear model fits. */
function noisyData(samples: number, size: number, seed = 1): Data {
  const random = new RandomStream(keyFrom(seed));
  const features = Float64Array.from({ length: samples * size }, (_, index) => {
    const column = index % size;
    return (column + 1) * (random.nextUniform() - 0.3) + column;
  });
  return { features, targets: Float64Array.from({ length: samples }, () => 5 * random.nextUniform() - 2) };
}

/** Σ (y − b − xᵀw)² + λ·|w|², as a slow loop. */
function penalisedLoss({ features, targets }: Data, { weights, intercept }: LinearModel, penalty: number): number {
  const size = weights.length;
  let loss = 0;
  for (const [sample, target] of targets.entries()) {
    let predicted = intercept;
    for (let index = 0; index < size; index += 1) predicted += weights[index]! * features[sample * size + index]!;
    loss += (target - predicted) ** 2;
  }
  for (const weight of weights) loss += penalty * weight ** 2;
  return loss;
}

/** Solves (ZᵀZ + λ·diag(0, 1, …, 1))·(b, w) = Zᵀy with Z = [1 | X] by Gauss and Jordan: no means, no triangle. */
function solveSlowly({ features, targets }: Data, size: number, penalty: number): number[] {
  const rows = [...targets].map((_, sample) => [1, ...features.subarray(sample * size, (sample + 1) * size)]);
  const system = Array.from({ length: size + 1 }, (_, i) => [
    ...Array.from({ length: size + 1 }, (_each, j) => {
      const inner = rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0);
      return inner + (i === j && i > 0 ? penalty : 0);
    }),
    rows.reduce((sum, row, sample) => sum + row[i]! * targets[sample]!, 0),
  ]);
  for (const [pivot, row] of system.entries()) {
    const scale = row[pivot]!;
    for (const [column, value] of row.entries()) row[column] = value / scale;
    for (const other of system) {
      if (other === row) continue;
      const factor = other[pivot]!;
      for (const [column, value] of row.entries()) other[column]! -= factor * value;
    }
  }
  return system.map((row) => row.at(-1)!);
}

const squaredNorm = ({ weights }: LinearModel) => weights.reduce((sum, weight) => sum + weight ** 2, 0);

describe('ridge regression', () => {
  it('without a penalty gives back the coefficients that exact targets were made with', () => {
    const made: LinearModel = { weights: Float64Array.of(2, -0.5, 0, 7), intercept: -3 };
    const { features } = noisyData(12, 4);
    const targets = Float64Array.from({ length: 12 }, (_, n) =>
      predictLinear(made, features.subarray(4 * n, 4 * n + 4)),
    );
    const { weights, intercept } = fitRidge(features, targets, 0);
    made.weights.forEach((weight, index) => expect(weights[index]).toBeCloseTo(weight, 7));
    expect(intercept).toBeCloseTo(made.intercept, 7);
  });

  it('gives the values that the formula gives by hand', () => {
    // x̄ = 1, ȳ = 5/3, Σ(x − x̄)² = 2, Σ(x − x̄)(y − ȳ) = 4: w = 4 / (2 + λ), b = 5/3 − w.
    const fitted = fitRidge(Float64Array.of(0, 1, 2), Float64Array.of(0, 1, 4), 2);
    expect(fitted.weights[0]).toBeCloseTo(1, 10);
    expect(fitted.intercept).toBeCloseTo(2 / 3, 10);
  });

  it.each([0, 0.1, 3, 200])('equals the normal equations solved in another way, λ = %f', (penalty) => {
    for (const size of [1, 2, 5]) {
      const data = noisyData(20, size);
      const { weights, intercept } = fitRidge(data.features, data.targets, penalty);
      const slow = solveSlowly(data, size, penalty);
      [intercept, ...weights].forEach((value, index) => expect(value).toBeCloseTo(slow[index]!, 8));
    }
  });

  it.each([0.1, 3, 200])('is where the penalised loss is flat in every direction, λ = %f', (penalty) => {
    const data = noisyData(30, 4);
    const model = fitRidge(data.features, data.targets, penalty);
    const step = 1e-4;
    const moved = (index: number, by: number): LinearModel => ({
      weights: model.weights.map((weight, place) => (place === index ? weight + by : weight)),
      intercept: model.intercept + (index < 0 ? by : 0),
    });
    for (let index = -1; index < 4; index += 1) {
      const [up, down] = [step, -step].map((by) => penalisedLoss(data, moved(index, by), penalty));
      expect((up! - down!) / (2 * step)).toBeCloseTo(0, 5);
      expect(Math.min(up!, down!)).toBeGreaterThan(penalisedLoss(data, model, penalty));
    }
  });

  it('shrinks the weights under a larger penalty, to 0 in the end, and predicts the mean then', () => {
    const { features, targets } = noisyData(25, 3);
    const norms = [0, 0.5, 5, 50, 1e9].map((penalty) => squaredNorm(fitRidge(features, targets, penalty)));
    norms.slice(1).forEach((norm, index) => expect(norm).toBeLessThan(norms[index]!));
    expect(norms.at(-1)).toBeLessThan(1e-12);
    const mean = targets.reduce((sum, value) => sum + value, 0) / targets.length;
    expect(fitRidge(features, targets, 1e9).intercept).toBeCloseTo(mean, 6);
  });

  it('gives equal columns equal weights, without a penalty as well, and a constant column none', () => {
    const { features, targets } = noisyData(15, 1);
    const repeated = Float64Array.from([...features].flatMap((value) => [value, 4, value]));
    const { weights } = fitRidge(repeated, targets, 0);
    const [alone] = fitRidge(features, targets, 0).weights;
    expect(weights[0]).toBeCloseTo(alone! / 2, 3);
    expect(weights[2]).toBeCloseTo(alone! / 2, 3);
    expect(weights[1]).toBeCloseTo(0, 9);
  });
});

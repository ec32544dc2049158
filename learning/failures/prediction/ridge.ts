// Letters: n samples, d features.

/** A linear model ŷ = b + xᵀw. */
export interface LinearModel {
  /** Shape [d]. */
  readonly weights: Float64Array;
  readonly intercept: number;
}

/** Added to the diagonal in proportion to its largest entry, so that equal columns do not divide by 0 by rounding. */
const JITTER = 1e-12;

/**
 * Ridge regression by the normal equations.
 *
 *     w = (X̃ᵀX̃ + λ·I)⁻¹ X̃ᵀỹ,   b = ȳ − x̄ᵀw,   X̃ and ỹ less their means
 *
 * The intercept is not penalised. With λ = 0 and independent columns it is least squares.
 *
 * @param features shape [n d], row by row @param targets shape [n], n > 0 @param penalty λ ≥ 0
 * @source Hoerl, Kennard: Ridge Regression (Technometrics 12, 1970)
 */
export function fitRidge(features: Float64Array, targets: Float64Array, penalty: number): LinearModel {
  const count = targets.length;
  const size = features.length / count;
  const means = columnMeans(features, size);
  const targetMean = targets.reduce((sum, value) => sum + value, 0) / count;
  const gram = new Float64Array(size * size);
  const moment = new Float64Array(size);
  const row = new Float64Array(size);
  for (let sample = 0; sample < count; sample += 1) {
    for (let index = 0; index < size; index += 1) row[index] = features[sample * size + index]! - means[index]!;
    addOuter(gram, row, size);
    const target = targets[sample]! - targetMean;
    for (let index = 0; index < size; index += 1) moment[index]! += row[index]! * target;
  }
  addToDiagonal(gram, size, penalty);
  const weights = solveSymmetric(gram, moment, size);
  const intercept = weights.reduce((sum, weight, index) => sum - weight * means[index]!, targetMean);
  return { weights, intercept };
}

/** @param features shape [d] */
export function predictLinear({ weights, intercept }: LinearModel, features: Float64Array): number {
  let sum = intercept;
  for (let index = 0; index < weights.length; index += 1) sum += weights[index]! * features[index]!;
  return sum;
}

function columnMeans(features: Float64Array, size: number): Float64Array {
  const means = new Float64Array(size);
  for (let first = 0; first < features.length; first += size) {
    for (let column = 0; column < size; column += 1) means[column]! += features[first + column]!;
  }
  return means.map((sum) => (sum * size) / features.length);
}

/** Adds row·rowᵀ to the lower triangle. */
function addOuter(gram: Float64Array, row: Float64Array, size: number): void {
  for (let i = 0; i < size; i += 1) {
    const value = row[i]!;
    if (value === 0) continue;
    const first = i * size;
    for (let j = 0; j <= i; j += 1) gram[first + j]! += value * row[j]!;
  }
}

function addToDiagonal(gram: Float64Array, size: number, penalty: number): void {
  let largest = 0;
  for (let index = 0; index < size; index += 1) largest = Math.max(largest, gram[index * size + index]!);
  for (let index = 0; index < size; index += 1) gram[index * size + index]! += penalty + JITTER * (largest + 1);
}

/** Solves A·x = b for a positive definite A of which the lower triangle is given and overwritten (Cholesky). */
function solveSymmetric(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  for (let column = 0; column < size; column += 1) {
    for (let row = column; row < size; row += 1) {
      let sum = matrix[row * size + column]!;
      for (let inner = 0; inner < column; inner += 1) {
        sum -= matrix[row * size + inner]! * matrix[column * size + inner]!;
      }
      matrix[row * size + column] = row === column ? Math.sqrt(sum) : sum / matrix[column * size + column]!;
    }
  }
  const solution = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    for (let inner = 0; inner < row; inner += 1) solution[row]! -= matrix[row * size + inner]! * solution[inner]!;
    solution[row]! /= matrix[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let inner = row + 1; inner < size; inner += 1) {
      solution[row]! -= matrix[inner * size + row]! * solution[inner]!;
    }
    solution[row]! /= matrix[row * size + row]!;
  }
  return solution;
}

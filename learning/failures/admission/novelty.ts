import type { Parameter } from '../../../simulators/contract.ts';
import type { RandomizationRanges } from '../../strategies/contract.ts';

// Letters: P parameters of a simulator.

/** How far two compiled simulators, each of shape [P], are from each other. */
export type ParameterDistance = (one: Float64Array, other: Float64Array) => number;

/**
 * The Euclidean distance of parameters, each divided by the width of its range, or of what is possible where it has none.
 * Two different choices, of a partner's policy for one, are 1 apart whatever they are.
 */
export function parameterDistance(
  parameters: readonly Parameter[],
  randomization: RandomizationRanges,
): ParameterDistance {
  const widths = parameters.map(({ path, low, high }) => {
    const [from, to] = randomization[path] ?? [low, high];
    return to > from ? to - from : 1;
  });
  const isChoice = parameters.map(({ kind }) => kind === 'choice');
  return (one, other) => {
    let sum = 0;
    for (let column = 0; column < widths.length; column += 1) {
      const difference = one[column]! - other[column]!;
      if (difference !== 0) sum += isChoice[column] === true ? 1 : (difference / widths[column]!) ** 2;
    }
    return Math.sqrt(sum);
  };
}

/** The distance to the nearest of others; Infinity where there is none. */
export function noveltyOf(vector: Float64Array, others: readonly Float64Array[], distance: ParameterDistance): number {
  return others.reduce((nearest, other) => Math.min(nearest, distance(vector, other)), Infinity);
}

import type { SimulatorData } from '../../simulators/contract.ts';
import { mean } from '../statistics/moments.ts';
import { numberAt } from '../strategies/draw-simulator.ts';
import type { RandomizationRanges } from '../strategies/contract.ts';
import type { RunHistory } from './history.ts';

/**
 * By simulator that entered the pool after something was mined: its distance from the nearest simulator in which episodes
 * had failed by then, that is, the mean over the numbers with ranges that both have of their difference in widths of the
 * range. Empty where nothing was mined or no number with a range is in both.
 */
export function failureDistances(
  { entered, failing }: Pick<RunHistory, 'entered' | 'failing'>,
  ranges: RandomizationRanges,
): number[] {
  return entered.flatMap(({ round, simulator }) => {
    const failed = failing.filter((failure) => failure.round <= round);
    const distances = failed.flatMap((failure) => distanceBetween(simulator, failure.simulator, ranges));
    return distances.length === 0 ? [] : [Math.min(...distances)];
  });
}

function distanceBetween(a: SimulatorData, b: SimulatorData, ranges: RandomizationRanges): number[] {
  const differences = Object.entries(ranges).flatMap(([path, [low, high]]) => {
    const [first, second] = [numberAt(a, path), numberAt(b, path)];
    if (first === undefined || second === undefined || low >= high) return [];
    return [Math.abs(first - second) / (high - low)];
  });
  return differences.length === 0 ? [] : [mean(differences)];
}

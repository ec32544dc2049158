import type { Parameter, SimulatorData } from '../../../simulators/contract.ts';
import type { RandomStream } from '../../../simulators/random.ts';
import type { RandomizationRanges } from '../../strategies/contract.ts';
import { numberAt, setNumberAt } from '../../strategies/draw-simulator.ts';

/** How far a number may be moved either way, as a share of the width of its range. */
const SHARE = 0.1;

/**
 * A copy of a simulator with every ranged number moved a little, uniformly up to a tenth of the width of its range either
 * way: what was written by hand is still what its name says. Numbers stay within their range or, where they were written
 * outside of it, between it and what was written; whole numbers stay whole, and choices stay.
 */
export function varySimulator(
  simulator: SimulatorData,
  { ranges, parameters }: { ranges: RandomizationRanges; parameters: readonly Parameter[] },
  random: RandomStream,
): SimulatorData {
  const copy = structuredClone(simulator);
  for (const path of Object.keys(ranges).sort()) {
    const [low, high] = ranges[path]!;
    const uniform = 2 * random.nextUniform() - 1;
    const value = numberAt(copy, path);
    const parameter = parameters.find((entry) => entry.path === path);
    if (value === undefined || parameter === undefined || parameter.kind === 'choice') continue;
    const moved = value + uniform * SHARE * (high - low);
    const within = Math.min(Math.max(high, value), Math.max(Math.min(low, value), moved));
    setNumberAt(copy, path, parameter.kind === 'integer' ? Math.round(within) : within);
  }
  return copy;
}

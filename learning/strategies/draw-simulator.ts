import { drawParameter } from '../../simulators/draw.ts';
import type { Parameter, SimulatorData } from '../../simulators/contract.ts';
import type { RandomStream } from '../../simulators/random.ts';
import type { RandomizationRanges } from './contract.ts';

/**
 * A copy of a simulator with every ranged parameter drawn uniformly. A range whose path this simulator lacks, because
 * another partner sits there, is left out.
 */
export function drawSimulator(
  simulator: SimulatorData,
  ranges: RandomizationRanges,
  parameters: readonly Parameter[],
  random: RandomStream,
): SimulatorData {
  const copy = structuredClone(simulator) as unknown as Record<string, unknown>;
  // The order of the draws must not depend on the order of keys in a document.
  for (const path of Object.keys(ranges).sort()) {
    const [low, high] = ranges[path]!;
    const uniform = random.nextUniform();
    const keys = path.split('.');
    const last = keys.pop()!;
    const parent = keys.reduce<unknown>(
      (node, key) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[key] : undefined),
      copy,
    ) as Record<string, unknown> | undefined;
    const parameter = parameters.find((entry) => entry.path === path);
    if (parameter === undefined || typeof parent?.[last] !== 'number') continue;
    parent[last] = drawParameter(parameter, low, high, uniform);
  }
  return copy as unknown as SimulatorData;
}

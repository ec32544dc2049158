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
  const copy = structuredClone(simulator);
  // The order of the draws must not depend on the order of keys in a document.
  for (const path of Object.keys(ranges).sort()) {
    const [low, high] = ranges[path]!;
    const uniform = random.nextUniform();
    const parameter = parameters.find((entry) => entry.path === path);
    if (parameter === undefined || numberAt(copy, path) === undefined) continue;
    setNumberAt(copy, path, drawParameter(parameter, low, high, uniform));
  }
  return copy;
}

/** The number that a simulator has at a path such as `partners.1.epsilon`; undefined when it has none there. */
export function numberAt(simulator: SimulatorData, path: string): number | undefined {
  const { parent, key } = placeOf(simulator, path);
  const value = typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** Changes the number that a simulator has at a path. */
export function setNumberAt(simulator: SimulatorData, path: string, value: number): void {
  const { parent, key } = placeOf(simulator, path);
  (parent as Record<string, number>)[key] = value;
}

function placeOf(simulator: SimulatorData, path: string): { parent: unknown; key: string } {
  const keys = path.split('.');
  const key = keys.pop()!;
  const parent = keys.reduce<unknown>(
    (node, each) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[each] : undefined),
    simulator,
  );
  return { parent, key };
}

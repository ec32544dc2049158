import type { Parameter, SimulatorData, World } from './contract.ts';

/** By how much rules are scaled when nothing else is said: ±5 % and ±20 %. */
export const PERTURBATION_SCALES: readonly number[] = [0.8, 0.95, 1.05, 1.2];

/** One rule of a simulator made a little smaller or larger. */
export interface PerturbedSimulator {
  readonly name: string;
  /** Key in `rules` of the simulator, e.g. `damping`. */
  readonly rule: string;
  readonly scale: number;
  readonly simulator: SimulatorData;
}

/**
 * Simulators that differ from one by a single rule each: every real rule parameter that is not 0, scaled, and clipped to
 * its range. What clipping makes equal to the simulator itself, or to another of the panel, is left out.
 * @param name the simulator's; names of the panel are made of it, the rule and the scale, e.g. `base-damping-0.95`
 * @param scales factors, more than 0
 */
export function perturbedPanel(
  world: World,
  name: string,
  simulator: SimulatorData,
  scales: readonly number[] = PERTURBATION_SCALES,
): PerturbedSimulator[] {
  return world.parameters.filter(isRealRule).flatMap(({ path, low, high }) => {
    const rule = path.slice('rules.'.length);
    const value = simulator.rules[rule];
    if (typeof value !== 'number' || value === 0) return [];
    const seen = new Set([value]);
    return scales.flatMap((scale): PerturbedSimulator[] => {
      const scaled = Math.min(high, Math.max(low, scale * value));
      if (seen.has(scaled)) return [];
      seen.add(scaled);
      const changed = { ...simulator, rules: { ...simulator.rules, [rule]: scaled } };
      return [{ name: `${name}-${rule}-${scale}`, rule, scale, simulator: changed }];
    });
  });
}

function isRealRule({ path, kind }: Parameter): boolean {
  return kind === 'real' && path.startsWith('rules.');
}

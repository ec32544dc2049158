import type { SimulatorData, World } from '../../simulators/contract.ts';
import { DISTANCE_METRICS, distanceBetween, type DistanceMetric, type Distances } from './distances.ts';
import { probeSimulator, type ProbeOptions, type SimulatorProbe } from './probe.ts';

/** Two simulators are too close when every distance between them is below its floor. */
export type DistanceFloors = Distances;

/**
 * Default floor of `state_visitation`, which compares episodes that start alike, so that two seeds tell nothing of its
 * noise: in `simple_spread` 5 % of the acceleration, 10 % of the damping or 10 % of random actions stay below it.
 */
export const STATE_VISITATION_FLOOR = 0.02;

/**
 * The default floors of a simulator: what it differs by from itself under the next seed, and 0.02 in `state_visitation`.
 * @param probe what the simulator gave with these options
 */
export function defaultFloors(
  world: World,
  simulator: SimulatorData,
  probe: SimulatorProbe,
  options: ProbeOptions,
): DistanceFloors {
  const other = probeSimulator(world, simulator, { ...options, seed: options.seed + 1 });
  return {
    trajectory_kl: distanceBetween('trajectory_kl', probe, other),
    state_visitation: STATE_VISITATION_FLOOR,
    reward_distribution: distanceBetween('reward_distribution', probe, other),
  };
}

/** The floors of a pair: of each metric the larger of both simulators', so that the noise of either is allowed for. */
export function floorsOfPair(a: DistanceFloors, b: DistanceFloors): DistanceFloors {
  const entries = DISTANCE_METRICS.map((metric) => [metric, Math.max(a[metric], b[metric])] as const);
  return Object.fromEntries(entries) as unknown as DistanceFloors;
}

/** Whether the distances tell two simulators apart by no metric at all. */
export function areTooClose(distances: Distances, floors: DistanceFloors): boolean {
  return DISTANCE_METRICS.every((metric) => distances[metric] < floors[metric]);
}

/** In the order of what they cost: `state_visitation` takes a hundred times as long as both others. */
const CHEAPEST_FIRST: readonly DistanceMetric[] = ['reward_distribution', 'trajectory_kl', 'state_visitation'];

/**
 * The same where measuring takes time.
 * @param distance asked for metric by metric, until one of them tells the simulators apart
 */
export function areMeasuredTooClose(distance: (metric: DistanceMetric) => number, floors: DistanceFloors): boolean {
  return CHEAPEST_FIRST.every((metric) => distance(metric) < floors[metric]);
}

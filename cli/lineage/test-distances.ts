import type { DistanceMetric } from '../../learning/distances/distances.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { SimulatorDistances } from '../../specification/simulator-distances.ts';

/** The test simulator that a simulator is nearest to, by the metric of the spec. */
export interface TestDistance {
  readonly test: string;
  readonly metric: DistanceMetric;
  readonly distance: number;
}

/**
 * How far simulators are from the test panel: for the eyes of people. It is worked out when asked for and stored nowhere,
 * so that no strategy can choose by it.
 * @param simulators by hash
 */
export function testDistances(
  variant: ResolvedVariant,
  simulators: ReadonlyMap<string, SimulatorData>,
): ReadonlyMap<string, TestDistance> {
  const { metric } = variant.diversity;
  const measure = new SimulatorDistances(openWorld(variant, DEFAULT_REGISTRIES), variant.learners);
  const nearestOf = (simulator: SimulatorData): TestDistance[] =>
    variant.panels.test
      .map((test) => ({ test, metric, distance: measure.between(simulator, variant.simulators[test]!)[metric] }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 1);
  return new Map(
    [...simulators].flatMap(([hash, simulator]) => nearestOf(simulator).map((nearest) => [hash, nearest] as const)),
  );
}

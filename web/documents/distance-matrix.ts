import type { DistanceMetric } from '../../learning/distances/distances.ts';
import type { ResolvedExperiment, ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { SimulatorDistances } from '../../specification/simulator-distances.ts';

/** Measuring a pair takes milliseconds: a matrix of more simulators would hold everybody up, and nobody could read it. */
const SIMULATORS_MAX = 24;
/** Matrices that are remembered: simulators never change. */
const KEPT_MAX = 20;

/** Distances between the simulators of a spec, by its own metric. */
export interface DistanceMatrix {
  readonly metric: DistanceMetric;
  readonly matrix: { rows: string[]; columns: string[]; values: number[][] };
}

const known = new Map<string, DistanceMatrix | null>();

/**
 * How far the simulators of an experiment are from each other, those of its first variant's world: variants of other family
 * options live in worlds that cannot be compared with it.
 * @returns null for a single simulator, for too many, and where this program has another version of the family
 */
export function distanceMatrix({ resolved }: { resolved: Pick<ResolvedExperiment, 'variants' | 'result_hash'> }) {
  const remembered = known.get(resolved.result_hash);
  if (remembered !== undefined) return remembered;
  const matrix = measured(Object.values(resolved.variants));
  known.set(resolved.result_hash, matrix);
  if (known.size > KEPT_MAX) known.delete(known.keys().next().value!);
  return matrix;
}

function measured(variants: readonly ResolvedVariant[]): DistanceMatrix | null {
  const [first] = variants as [ResolvedVariant];
  const world = DEFAULT_REGISTRIES.families[first.family];
  if (world?.version !== first.family_version) return null;
  const simulators = simulatorsOf(variants.filter((each) => isOfOneWorld(each, first)));
  const names = [...simulators.keys()];
  if (names.length < 2 || names.length > SIMULATORS_MAX) return null;
  const measure = new SimulatorDistances(openWorld(first, DEFAULT_REGISTRIES), first.learners);
  const { metric } = first.diversity;
  const all = [...simulators.values()];
  const values = all.map((one) => all.map((other) => measure.between(one, other)[metric]));
  return { metric, matrix: { rows: names, columns: names, values } };
}

function isOfOneWorld(one: ResolvedVariant, other: ResolvedVariant): boolean {
  return JSON.stringify(one.family_options) === JSON.stringify(other.family_options);
}

/** Those of the panels by name, panel by panel; where variants mean different ones by a name, the first one's. */
function simulatorsOf(variants: readonly ResolvedVariant[]): Map<string, SimulatorData> {
  const simulators = new Map<string, SimulatorData>();
  for (const panel of ['train', 'validation', 'test'] as const) {
    for (const variant of variants) {
      for (const name of variant.panels[panel]) {
        if (!simulators.has(name)) simulators.set(name, variant.simulators[name]!);
      }
    }
  }
  return simulators;
}

import type { SimulatorData, World } from '../simulators/contract.ts';
import { withoutDefaultPartners } from '../simulators/default-partners.ts';
import type { VariantParts } from './variant-parts.ts';

/** What the names of simulators in a spec mean: first the spec's own, then the catalogue of the family. */
export interface SimulatorNames {
  readonly known: readonly string[];
  /** Undefined when the name is unknown, or known and not readable. */
  find(name: string): SimulatorData | undefined;
}

/** @param learners seats that learn */
export function simulatorNames(
  parts: Pick<VariantParts, 'world' | 'simulators' | 'specNames'>,
  learners: readonly number[],
): SimulatorNames {
  const own = new Set(parts.specNames);
  const find = (name: string): SimulatorData | undefined =>
    own.has(name) ? parts.simulators.get(name) : catalogueSimulator(parts.world, name);
  return {
    known: [...own, ...Object.keys(parts.world.catalogue).filter((name) => !own.has(name))],
    find: (name) => {
      const simulator = find(name);
      return simulator === undefined ? undefined : withoutDefaultPartners(simulator, learners);
    },
  };
}

const CATALOGUES = new WeakMap<World, Map<string, SimulatorData | undefined>>();

/** A built-in simulator with its defaults written out. One that needs a seat this world lacks is not there. */
export function catalogueSimulator(world: World, name: string): SimulatorData | undefined {
  const entry = Object.hasOwn(world.catalogue, name) ? world.catalogue[name] : undefined;
  if (entry === undefined) return undefined;
  const read = CATALOGUES.get(world) ?? new Map<string, SimulatorData | undefined>();
  CATALOGUES.set(world, read);
  if (!read.has(name)) read.set(name, world.simulatorSchema.safeParse(entry.simulator).data);
  return read.get(name);
}

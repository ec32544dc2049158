import type { PanelName } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import type { Finding } from './finding.ts';
import { simulatorHash } from './identity.ts';
import { listNames, nearestName } from './nearest.ts';
import { namesIn, strategyReferences, type SimulatorReference } from './simulator-references.ts';
import type { SimulatorNames } from './simulator-names.ts';

interface Use extends SimulatorReference {
  /** What the simulator is used for; what a strategy names is trained on, like the train panel. */
  readonly panel: PanelName;
}

/** Every place of a setting that names a simulator. */
export function simulatorUses(panels: unknown, strategy: unknown): Use[] {
  const of = (panel: PanelName): Use[] =>
    namesIn((panels as Record<PanelName, unknown> | undefined)?.[panel], ['panels', panel]).map((use) => ({
      ...use,
      panel,
    }));
  const trained = strategyReferences(strategy).map((use): Use => ({ ...use, panel: 'train' }));
  return [...of('train'), ...of('validation'), ...of('test'), ...trained];
}

/** Names that mean no simulator. */
export function unknownNames(uses: readonly SimulatorReference[], names: SimulatorNames, world: World): Finding[] {
  return uses
    .filter(({ name }) => !names.known.includes(name))
    .map(({ name, path }) => {
      const nearest = nearestName(name, names.known);
      return {
        path,
        found: `the unknown simulator ${JSON.stringify(name)}`,
        expected: `a simulator of this file or of the catalogue of ${world.family}: ${listNames(names.known, 24)}`,
        ...(nearest === undefined ? {} : { nearest }),
        remedy:
          nearest === undefined
            ? 'Define it under "simulators", or name another.'
            : `Write "${nearest}", if that is what was meant.`,
      };
    });
}

/** Built-in simulators that this world has no seats for. */
export function unusableNames(
  uses: readonly SimulatorReference[],
  names: SimulatorNames,
  specNames: readonly string[],
): Finding[] {
  return uses
    .filter(({ name }) => names.known.includes(name) && !specNames.includes(name) && names.find(name) === undefined)
    .map(({ name, path }) => ({
      path,
      found: `the built-in simulator ${JSON.stringify(name)}, which needs seats that this world does not have`,
      expected: 'a simulator for the number of agents in family_options',
      remedy: 'Name another simulator, or change the number of agents.',
    }));
}

/** Simulators that are in two panels, also under different names: held-out must mean never trained on. */
export function sharedSimulators(uses: readonly Use[], names: SimulatorNames, world: World): Finding[] {
  const order: Record<PanelName, number> = { train: 0, validation: 1, test: 2 };
  const sorted = uses.toSorted((a, b) => order[a.panel] - order[b.panel]);
  const first = new Map<string, Use>();
  return sorted.flatMap((use): Finding[] => {
    const simulator = names.find(use.name);
    if (simulator === undefined) return [];
    const hash = simulatorHash(world, simulator);
    const earlier = first.get(hash);
    if (earlier === undefined) first.set(hash, use);
    if (earlier === undefined || earlier.panel === use.panel) return [];
    return [sharedFinding(use, earlier)];
  });
}

function sharedFinding(use: Use, earlier: Use): Finding {
  const role = earlier.path[0] === 'strategy' ? 'that the strategy trains on' : `of panels.${earlier.panel}`;
  const same = use.name === earlier.name ? 'which is also one' : `which equals "${earlier.name}"`;
  return {
    path: use.path,
    found: `${JSON.stringify(use.name)} in ${use.panel}, ${same} ${role}`,
    expected: 'panels that have no simulator in common, whatever its name',
    remedy: `Take it out of one of the two, or define another simulator for ${use.panel}.`,
  };
}

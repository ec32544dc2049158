import type { PanelName, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import { simulatorHash } from './identity.ts';
import { openWorld } from './open-world.ts';
import type { Registries } from './registries.ts';

/** A simulator of a variant's panels by its content. */
export interface PanelSimulator {
  readonly panel: PanelName;
  readonly name: string;
  readonly simulatorHash: string;
}

/** All panels of a variant, each in the order of the spec. */
export function panelSimulators(
  { panels, simulators }: Pick<ResolvedVariant, 'panels' | 'simulators'>,
  world: World,
): PanelSimulator[] {
  return (['train', 'validation', 'test'] as const).flatMap((panel) =>
    panels[panel].map((name) => ({ panel, name, simulatorHash: simulatorHash(world, simulators[name]!) })),
  );
}

/** The same of every variant, by its name. */
export function panelSimulatorsByVariant(
  variants: Readonly<Record<string, ResolvedVariant>>,
  registries: Registries,
): Record<string, PanelSimulator[]> {
  const entries = Object.entries(variants).map(([name, variant]) => {
    return [name, panelSimulators(variant, openWorld(variant, registries))] as const;
  });
  return Object.fromEntries(entries);
}

import { crossPartners } from '../learning/strategies/cross-partners.ts';
import { keyFrom, PURPOSE, RandomStream } from '../simulators/random.ts';
import type { World } from '../simulators/contract.ts';
import { strategyEvidence, type StrategySetting } from './evidence.ts';
import type { Finding } from './finding.ts';
import { simulatorHash } from './identity.ts';
import { panelSimulators } from './panel-simulators.ts';
import type { Registries } from './registries.ts';

/**
 * Held-out simulators that the strategy makes out of others without drawing anything, as when self-play puts the current
 * policy where a test simulator has it too. What draws can reach is looked for apart.
 * @param setting one that the strategy finds nothing wrong with
 */
export function checkDecision(setting: StrategySetting, world: World, { strategies }: Registries): Finding[] {
  const strategy = strategies[setting.strategy.kind]!;
  const evidence = strategyEvidence(setting, world, 0);
  if (strategy.varied(evidence).length > 0) return [];
  const random = new RandomStream(keyFrom(0, PURPOSE.strategy, 0));
  const decision = strategy.decide(strategy.propose(null, evidence, random), evidence, {}, random);
  const made = new Map(crossPartners(decision).map(({ name, simulator }) => [simulatorHash(world, simulator), name]));
  return panelSimulators(setting, world).flatMap(({ panel, name, simulatorHash: hash }): Finding[] => {
    const twin = made.get(hash);
    if (panel === 'train' || twin === undefined) return [];
    return [
      {
        path: ['panels', panel, setting.panels[panel].indexOf(name)],
        found: `${JSON.stringify(name)} in ${panel}, which equals "${twin}" that ${strategy.kind} trains on`,
        expected: 'held-out simulators that training never meets',
        remedy: `Take it out of ${panel}, or give it another partner or other rules.`,
      },
    ];
  });
}

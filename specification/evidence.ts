import type { Evidence, NamedSimulator } from '../learning/strategies/contract.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';

/**
 * What a strategy may know of its variant. Test simulators are left out here, in one place, so that no strategy can
 * train on them, whatever it asks for.
 * @param variant resolved, or as much of it as could be read
 * @param roundIndex rounds completed
 */
export function strategyEvidence(
  variant: Pick<ResolvedVariant, 'strategy' | 'panels' | 'simulators' | 'randomization'>,
  world: World,
  roundIndex: number,
): Evidence {
  const { train, validation, test } = variant.panels;
  const heldOut = new Set([...validation, ...test]);
  const named = (name: string): NamedSimulator[] => {
    const simulator = variant.simulators[name];
    return simulator === undefined ? [] : [{ name, simulator }];
  };
  return {
    options: variant.strategy,
    roundIndex,
    trainPanel: train.flatMap(named),
    validationPanel: validation.flatMap(named),
    simulators: Object.keys(variant.simulators)
      .filter((name) => !heldOut.has(name))
      .flatMap(named),
    randomization: variant.randomization,
    parameters: world.parameters,
  };
}

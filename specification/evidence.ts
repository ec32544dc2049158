import type { Evidence, NamedSimulator } from '../learning/strategies/contract.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';

/** What of a variant concerns its strategy. */
export type StrategySetting = Pick<
  ResolvedVariant,
  'strategy' | 'panels' | 'simulators' | 'randomization' | 'learners' | 'algorithm'
> & { readonly budget: Pick<ResolvedVariant['budget'], 'rounds'> };

/** What came out since the strategy decided last. */
export type Observed = Pick<Evidence, 'training' | 'members' | 'samples' | 'mined'>;

export const NOTHING_OBSERVED: Observed = { training: [], members: [], samples: [], mined: null };

/**
 * What a strategy may know of its variant. Test simulators are left out here, in one place, so that no strategy can
 * train on them, whatever it asks for.
 * @param variant resolved, or as much of it as could be read
 * @param roundIndex rounds completed
 */
export function strategyEvidence(
  variant: StrategySetting,
  world: World,
  roundIndex: number,
  observed: Observed = NOTHING_OBSERVED,
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
    roundCount: variant.budget.rounds,
    trainPanel: train.flatMap(named),
    validationPanel: validation.flatMap(named),
    simulators: Object.keys(variant.simulators)
      .filter((name) => !heldOut.has(name))
      .flatMap(named),
    randomization: variant.randomization,
    hyperparameters: numbersOf(variant.algorithm),
    learners: variant.learners,
    seatCount: world.seatCount,
    groups: world.groups,
    parameters: world.parameters,
    compile: (simulator) => world.compile(simulator),
    ...observed,
  };
}

function numbersOf(parameters: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

import type { Evidence, NamedSimulator, Strategy } from '../../learning/strategies/contract.ts';
import type { World } from '../../simulators/contract.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { openSpread, scripted, simulatorOf } from './small-learning.ts';

/** Rounds of a made-up run at which decisions are asked for: enough for every strategy to be due several times. */
export const ROUNDS = 12;

/** A world with its panels, in which a strategy is tested. */
export interface Situation {
  readonly world: World;
  readonly learners: readonly number[];
  readonly train: readonly NamedSimulator[];
  readonly validation: readonly NamedSimulator[];
  readonly ranges: Evidence['randomization'];
}

const named = (world: World, name: string, written: object): NamedSimulator => ({
  name,
  simulator: simulatorOf(world, written),
});

/** simple_spread of two agents, of which the first learns. */
function spreadSituation(): Situation {
  const world = openSpread({ agents: 2 });
  return {
    world,
    learners: [0],
    train: [
      named(world, 'zero', scripted(1, 'fixed_landmark', { landmark: 0 })),
      named(world, 'left', scripted(1, 'leftmost_landmark')),
    ],
    validation: [named(world, 'top', scripted(1, 'topmost_landmark'))],
    ranges: { 'rules.damping': [0.1, 0.5], 'perturbations.action_delay': [1, 3] },
  };
}

/** simple_tag, in which the three adversaries learn and the prey is a partner: another role, and no share of the return. */
function tagSituation(): Situation {
  const world = FAMILIES['simple_tag']!.open(FAMILIES['simple_tag']!.optionsSchema.parse({}));
  return {
    world,
    learners: [0, 1, 2],
    train: [
      named(world, 'corner', scripted(3, 'corner', { corner: 2 })),
      named(world, 'orbit', scripted(3, 'orbit_left')),
    ],
    validation: [named(world, 'flee', scripted(3, 'flee_nearest'))],
    ranges: { 'rules.prey_max_speed': [0.8, 1.3], 'partners.3.corner': [0, 3] },
  };
}

export const SITUATIONS = { spread: spreadSituation(), tag: tagSituation() } as const;

/** What the strategy may know when a run starts. @param written options as a spec has them, without `kind` */
export function evidenceAtStart(
  strategy: Strategy,
  { world, learners, train, validation, ranges }: Situation,
  written: Readonly<Record<string, unknown>>,
): Evidence {
  return {
    options: strategy.optionsSchema.parse({ kind: strategy.kind, ...written }),
    roundIndex: 0,
    roundCount: ROUNDS + 1,
    trainPanel: train,
    validationPanel: validation,
    simulators: train,
    randomization: ranges,
    parameters: world.parameters,
    learners,
    seatCount: world.seatCount,
    groups: world.groups,
    hyperparameters: { learning_rate: 0.003, entropy_coefficient: 0.003, clip: 0.3 },
    training: [],
    members: [],
    samples: [],
    mined: null,
    compile: (simulator) => world.compile(simulator),
  };
}

import type { SimulatorData, World } from '../simulators/contract.ts';
import { describeValue, type Finding } from './finding.ts';
import type { SimulatorReference } from './simulator-references.ts';
import type { SimulatorNames } from './simulator-names.ts';

/** Learners on seats that the world does not have. */
export function unknownSeats(learners: readonly number[], world: World): Finding[] {
  return learners.flatMap((seat, index) =>
    seat < world.seatCount
      ? []
      : [
          {
            path: ['learners', index],
            found: `the seat ${describeValue(seat)}`,
            expected: `a seat from 0 to ${world.seatCount - 1}, because this world has ${world.seatCount}`,
            remedy: 'Name seats that exist, or change the number of agents in family_options.',
          },
        ],
  );
}

/** Simulators to train on in which partners sit on the seats of all learners, so that nobody learns. */
export function simulatorsWithoutLearner(
  trained: readonly SimulatorReference[],
  names: SimulatorNames,
  learners: readonly number[],
): Finding[] {
  return trained.flatMap(({ name, path }) => {
    const simulator = names.find(name);
    if (simulator === undefined || learners.some((seat) => isLearning(simulator, seat))) return [];
    return [
      {
        path,
        found: `${JSON.stringify(name)}, whose partners hold the seats of all learners (${learners.join(', ')})`,
        expected: 'a simulator that leaves at least one learner its seat',
        remedy: 'Train on another simulator, or change `learners` or the partners.',
      },
    ];
  });
}

/**
 * Simulators in which a seat is left to the policy of a role that nobody learns: networks belong to roles, so an
 * untrained one would sit there.
 */
export function seatsWithoutPolicy(
  uses: readonly SimulatorReference[],
  names: SimulatorNames,
  learners: readonly number[],
  world: World,
): Finding[] {
  if (unknownSeats(learners, world).length > 0) return [];
  const orphaned = world.groups.filter(({ seats }) => !seats.some((seat) => learners.includes(seat)));
  return uses.flatMap(({ name, path }) => {
    const simulator = names.find(name);
    const open = orphaned.flatMap(({ role, seats }) =>
      seats
        .filter((seat) => (simulator?.partners[String(seat)]?.kind ?? 'self') === 'self')
        .map((seat) => `${seat} (${role})`),
    );
    if (simulator === undefined || open.length === 0) return [];
    return [
      {
        path,
        found: `${JSON.stringify(name)}, which leaves seat ${open.join(', ')} to a policy that nobody learns`,
        expected: 'a partner on every seat of a role without learners',
        remedy: 'Put scripted or policy partners on these seats, or name them in `learners`.',
      },
    ];
  });
}

/** Whoever is put on a learner's seat replaces it, the learner's own policy without gradient included. */
function isLearning({ partners }: SimulatorData, seat: number): boolean {
  return !Object.hasOwn(partners, String(seat));
}

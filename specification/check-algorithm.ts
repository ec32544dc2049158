import type { Algorithm } from '../learning/algorithms/contract.ts';
import type { SeatGroup, World } from '../simulators/contract.ts';
import type { Finding } from './finding.ts';
import { listNames } from './nearest.ts';
import type { Registries } from './registries.ts';
import type { VariantParts } from './variant-parts.ts';

const PATH = ['algorithm', 'name'];

/** Whether the algorithm can train so many learners, and such as act as these do. */
export function checkAlgorithm(
  { algorithm: chosen, world }: Pick<VariantParts, 'algorithm' | 'world'>,
  learners: readonly number[],
  { algorithms }: Pick<Registries, 'algorithms'>,
): Finding[] {
  const algorithm = chosen === undefined ? undefined : algorithms[chosen.name];
  if (algorithm === undefined) return [];
  const all = Object.values(algorithms);
  return [...tooManyLearners(algorithm, learners, all), ...foreignActions(algorithm, learners, world, all)];
}

function tooManyLearners(
  { name, learnersMax = Infinity }: Algorithm,
  learners: readonly number[],
  all: readonly Algorithm[],
): Finding[] {
  if (learners.length <= learnersMax) return [];
  const fitting = all.filter((other) => learners.length <= (other.learnersMax ?? Infinity));
  return [
    {
      path: PATH,
      found: `"${name}", which trains ${learnersMax === 1 ? 'one learner' : `${learnersMax} learners`} and not the ${learners.length} on seats ${learners.join(', ')}`,
      expected: `an algorithm for ${learners.length} learners: ${listNames(fitting.map((other) => other.name))}`,
      remedy: `Choose one of these, or name at most ${learnersMax} in \`learners\` and put partners on the other seats.`,
    },
  ];
}

function foreignActions(
  algorithm: Algorithm,
  learners: readonly number[],
  { groups }: World,
  all: readonly Algorithm[],
): Finding[] {
  const isForeign = ({ actions }: SeatGroup, { actions: kinds }: Algorithm) =>
    !(kinds ?? [actions.kind]).includes(actions.kind);
  const learning = groups.filter(({ seats }) => seats.some((seat) => learners.includes(seat)));
  const foreign = learning.filter((group) => isForeign(group, algorithm));
  if (foreign.length === 0) return [];
  const fitting = all.filter((other) => !learning.some((group) => isForeign(group, other)));
  const roles = foreign.map(({ role, actions }) => `${role} (${actions.kind})`).join(', ');
  return [
    {
      path: PATH,
      found: `"${algorithm.name}", which learns ${algorithm.actions!.join(' and ')} actions and not those of ${roles}`,
      expected: `an algorithm for such actions: ${listNames(fitting.map((other) => other.name))}`,
      remedy: 'Choose one of these, or a world with other actions in `family_options`.',
    },
  ];
}

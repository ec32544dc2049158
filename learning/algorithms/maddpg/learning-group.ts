import type { World } from '../../../simulators/contract.ts';
import type { GroupColumns, TransitionLayout } from '../../replay/transition-layout.ts';
import { jointSizeOf } from '../../rollout/joint-observer.ts';
import type { PolicyDescription } from '../contract.ts';
import type { ActorNetwork } from './actor-network.ts';
import { createCritics, type Critics } from './critics.ts';
import type { MaddpgParameters } from './parameters.ts';

// Letters: G seats of a group, K of them that learn, A numbers of an action as the critics see it, U of the actions of all
// learners: group by group, seat by seat.

/** A group that has learners, as the graphs see it. */
export interface LearningGroup {
  readonly policy: PolicyDescription;
  /** Where its transitions lie; its seats are the K learners. */
  readonly columns: GroupColumns;
  /** Shape [K]: places of the learners among the seats of the group. */
  readonly places: readonly number[];
  readonly actor: ActorNetwork;
  readonly critics: Critics;
  /** Where its actions lie among those of all learners. */
  readonly actionsOffset: number;
  /** Where the observations of the group lie among what all seats see. */
  readonly jointOffset: number;
}

/** @param columns of all groups that have learners */
export function createLearningGroups(
  world: Pick<World, 'groups'>,
  policies: readonly PolicyDescription[],
  actors: readonly ActorNetwork[],
  { layout, parameters }: { readonly layout: TransitionLayout; readonly parameters: MaddpgParameters },
): LearningGroup[] {
  const actionsSizeOf = ({ group, seats }: GroupColumns): number => seats.length * actors[group]!.actionSize;
  const actionsSize = layout.groups.reduce((size, columns) => size + actionsSizeOf(columns), 0);
  let actionsOffset = 0;
  return layout.groups.map((columns): LearningGroup => {
    const { group, seats } = columns;
    const policy = policies[group]!;
    const { parameter_sharing: sharing, hidden_sizes: hiddenSizes, activation } = parameters;
    const kind = sharing === 'none' ? 'separate' : policy.identitySize > 0 ? 'identified' : 'shared';
    const critics = createCritics({
      jointSize: jointSizeOf(world),
      actionsSize,
      learnerCount: seats.length,
      kind,
      hiddenSizes,
      activation,
    });
    const own = { policy, columns, actor: actors[group]!, critics, actionsOffset };
    actionsOffset += actionsSizeOf(columns);
    const places = seats.map((seat) => world.groups[group]!.seats.indexOf(seat));
    return { ...own, places, jointOffset: jointSizeOf({ groups: world.groups.slice(0, group) }) };
  });
}

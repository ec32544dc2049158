import type { World } from '../../simulators/contract.ts';
import type { PolicyDescription } from '../algorithms/contract.ts';
import type { Expression, Shape } from '../graph/expression.ts';
import { reshape, slice } from '../graph/operators.ts';
import { actionHead } from '../rollout/action-head.ts';
import { jointSizeOf } from '../rollout/joint-observer.ts';

// Letters: M transitions, K numbers of a transition, G learning seats of a group, I input features of its policy, O its
// outputs, W numbers of an action, C numbers that all seats see together.

/** Neighbouring numbers of a transition. */
export interface Column {
  readonly offset: number;
  readonly length: number;
}

/** What a transition tells of the learning seats of one group: of each what it says, seat by seat. */
export interface GroupColumns {
  readonly group: number;
  /** Shape [G], ascending. */
  readonly seats: readonly number[];
  /** [G I] */
  readonly inputs: Column;
  /** [G W]: as they were drawn; the index of a discrete action is exact as a float32. */
  readonly actions: Column;
  /** [G]: discounted sum over the steps of the transition. */
  readonly rewards: Column;
  /** [G]: 1 where a learner acted; where not, all else is 0, and all masks are 1. */
  readonly learning: Column;
  /** [G O]; null where every action always is legal. */
  readonly masks: Column | null;
  /** [G I] */
  readonly nextInputs: Column;
  /** [G O] */
  readonly nextMasks: Column | null;
}

/** Where the numbers of one transition of one environment lie. One row of them is copied into a minibatch at once. */
export interface TransitionLayout {
  /** K */
  readonly width: number;
  /** Of the groups that have learning seats. */
  readonly groups: readonly GroupColumns[];
  /** [C]; null unless it was asked for. */
  readonly joint: Column | null;
  readonly nextJoint: Column | null;
  /** [1]: what a value of what followed is worth now, γᵏ after k steps; 0 after a termination. */
  readonly discount: Column;
}

/** @param policies of all groups of the world @param options.learners seats that learn */
export function transitionLayout(
  world: Pick<World, 'groups'>,
  policies: readonly PolicyDescription[],
  options: { readonly learners: readonly number[]; readonly joint: boolean },
): TransitionLayout {
  let width = 0;
  const column = (length: number): Column => {
    width += length;
    return { offset: width - length, length };
  };
  const groups = policies.flatMap((policy): GroupColumns[] => {
    const seats = world.groups[policy.group]!.seats.filter((seat) => options.learners.includes(seat));
    const { outputSize, actionSize } = actionHead(policy.actions);
    const masks = (): Column | null => (policy.isMasked ? column(seats.length * outputSize) : null);
    const inputs = (): Column => column(seats.length * policy.inputSize);
    if (seats.length === 0) return [];
    return [
      {
        group: policy.group,
        seats,
        inputs: inputs(),
        actions: column(seats.length * actionSize),
        rewards: column(seats.length),
        learning: column(seats.length),
        masks: masks(),
        nextInputs: inputs(),
        nextMasks: masks(),
      },
    ];
  });
  const joint = (): Column | null => (options.joint ? column(jointSizeOf(world)) : null);
  const [now, next, discount] = [joint(), joint(), column(1)];
  return { width, groups, joint: now, nextJoint: next, discount };
}

/** A column of packed transitions, [M K] → `shape`, which holds M rows of it. */
export function columnOf(transitions: Expression, { offset, length }: Column, shape: Shape): Expression {
  return reshape(slice(transitions, 1, offset, offset + length), shape);
}

import type { Expression } from '../../graph/expression.ts';
import type { SharedNetworks } from './value-networks.ts';

// Letters: M transitions, G learning seats of a group, L learners, E errors of a transition, C numbers that all seats see.

/** Of the learning seats of one group, each [M G]. All of a seat that did not learn is 0 but for its values. */
export interface SeatValues {
  /** Worth of the action that was taken, by the newest network. */
  readonly chosen: Expression;
  /** Worth of the best action of what followed, by the target network. */
  readonly next: Expression;
  readonly rewards: Expression;
  /** 1 where a learner acted. */
  readonly learning: Expression;
}

/** What was observed together, [M C], and what followed. */
export interface JointStates {
  readonly now: Expression;
  readonly next: Expression;
}

export interface Transitions {
  readonly seats: SeatValues;
  /** [M 1]: γᵏ, 0 after a termination. */
  readonly discount: Expression;
  readonly joint: JointStates | null;
}

/** Parameters by name: the newest, which gradients are for, and those of the target network. */
export interface ParameterPair {
  readonly newest: Readonly<Record<string, Expression>>;
  readonly target: Readonly<Record<string, Expression>>;
}

/** What is learnt, each [M E]. */
export interface Predictions {
  readonly predicted: Expression;
  readonly targets: Expression;
  /** 1 where an error counts, 0 where not. */
  readonly counts: Expression;
}

/** What an algorithm that learns worths of actions is, beyond what all of them share. */
export interface Objective {
  /** Whether it is told what all seats see. */
  readonly isJoint: boolean;
  readonly shared: SharedNetworks;
  /** @param transitions with the seats of all groups side by side: [M L] */
  predictions(transitions: Transitions, parameters: ParameterPair): Predictions;
}

/** Networks that belong to no group: none. */
export const NO_SHARED_NETWORKS: SharedNetworks = { shapes: {}, initialize: () => undefined };

import type { Expression } from '../../graph/expression.ts';
import { cast, clip, concat, constant, equal, input, multiply, reshape } from '../../graph/operators.ts';
import { normalizedObservations } from '../../normalization/observation-moments.ts';
import { columnOf, type TransitionLayout } from '../../replay/transition-layout.ts';
import { legalLogits } from '../exported-policy.ts';
import { actorOutputs, boxAction } from './actor-network.ts';
import type { LearningGroup } from './learning-group.ts';

// Letters: M transitions, K learners of a group, I input features of its policy, A numbers of an action as the critics see
// it, C numbers that all seats see together, U of the actions of all learners.

export interface MinibatchOptions {
  readonly layout: TransitionLayout;
  readonly groups: readonly LearningGroup[];
  /** M */
  readonly rowCount: number;
  readonly isNormalized: boolean;
}

export interface ActorActions {
  /** What the actor puts out, shape [M·K A]. */
  readonly outputs: Expression;
  /** The same without illegal actions. */
  readonly legal: Expression;
  /** Shape [M K A]; 0 for absent learners. */
  readonly actions: Expression;
}

/** A minibatch as expressions of a graph's inputs: `transitions`, and the moments of what was observed. */
export class Minibatch {
  readonly transitions: Expression;
  readonly weights: Expression;
  private readonly options: MinibatchOptions;

  constructor(options: MinibatchOptions) {
    this.options = options;
    this.transitions = input('transitions', [options.rowCount, options.layout.width]);
    this.weights = input('weights', [options.rowCount]);
  }

  /** What all seats see, now or after the step. Shape [M C]. */
  joint(when: 'now' | 'next'): Expression {
    const { layout, rowCount } = this.options;
    const column = when === 'now' ? layout.joint! : layout.nextJoint!;
    return this.normalized(columnOf(this.transitions, column, [rowCount, column.length]), 'joint');
  }

  /** What the learners of a group see. Shape [M·K I]. */
  inputs({ columns, policy, places }: LearningGroup, when: 'now' | 'next'): Expression {
    const rows = this.options.rowCount * places.length;
    const column = when === 'now' ? columns.inputs : columns.nextInputs;
    return this.normalized(columnOf(this.transitions, column, [rows, policy.inputSize]), `${policy.group}`);
  }

  /** Shape [M K]: 1 where a learner is present. */
  learning({ columns, places }: LearningGroup): Expression {
    return columnOf(this.transitions, columns.learning, [this.options.rowCount, places.length]);
  }

  /** Shape [M K]: discounted sums over the steps of the transitions. */
  rewards({ columns, places }: LearningGroup): Expression {
    return columnOf(this.transitions, columns.rewards, [this.options.rowCount, places.length]);
  }

  /** Shape [M 1]: what a value of what followed is worth now. */
  discount(): Expression {
    return columnOf(this.transitions, this.options.layout.discount, [this.options.rowCount, 1]);
  }

  /** What the learners of a group did: one-hot, or what their world took of a box. Shape [M K A]; 0 for absent ones. */
  actions(group: LearningGroup): Expression {
    const { columns, places, actor, policy } = group;
    const { rowCount } = this.options;
    const shape = [rowCount, places.length, policy.actions.kind === 'discrete' ? 1 : actor.actionSize];
    const drawn = columnOf(this.transitions, columns.actions, shape);
    const numbers = constant(Array.from({ length: actor.actionSize }, (_, action) => action));
    const seen = policy.actions.kind === 'discrete' ? cast(equal(drawn, numbers), 'float32') : clip(drawn, -1, 1);
    return this.ofPresent(group, seen);
  }

  /** What the learners of a group would do, by an actor. @param act from what the actor puts out, [M·K A] → [M·K A] */
  actorActions(
    group: LearningGroup,
    flat: Expression,
    when: 'now' | 'next',
    act: (logits: Expression) => Expression,
  ): ActorActions {
    const { rowCount } = this.options;
    const { actor, places, policy, columns } = group;
    const outputs = actorOutputs(actor, flat, this.inputs(group, when));
    const masks = when === 'now' ? columns.masks : columns.nextMasks;
    const legal = legalLogits(outputs, masks && columnOf(this.transitions, masks, outputs.shape));
    const chosen = policy.actions.kind === 'discrete' ? act(legal) : boxAction(outputs);
    const actions = this.ofPresent(group, reshape(chosen, [rowCount, places.length, actor.actionSize]));
    return { outputs, legal, actions };
  }

  /** The actions of all learners side by side, shape [M U]. @param actions of each group, shapes [M K A] */
  allActions(actions: readonly Expression[]): Expression {
    const { rowCount } = this.options;
    return concat(
      actions.map((each) => reshape(each, [rowCount, each.shape[1]! * each.shape[2]!])),
      1,
    );
  }

  private ofPresent(group: LearningGroup, actions: Expression): Expression {
    return multiply(actions, reshape(this.learning(group), [...actions.shape.slice(0, 2), 1]));
  }

  private normalized(x: Expression, name: string): Expression {
    if (!this.options.isNormalized) return x;
    const size = [x.shape.at(-1)!];
    return normalizedObservations(x, input(`${name}_mean`, size), input(`${name}_scale`, size));
  }
}

import type { SimulatorData } from '../../../../simulators/contract.ts';
import type { RandomStream } from '../../../../simulators/random.ts';
import type { GeneratorContext } from '../contract.ts';

// Letters: A actions.

/** What is kept of a failure to make simulators out of it: plain JSON. */
export interface Parent {
  /** As `failureName` writes it. */
  readonly failure: string;
  /** Name of the validation simulator. */
  readonly name: string;
  readonly simulator: SimulatorData;
  readonly group: number;
  readonly keyMoment: number;
  /** The state its episode began with, as `scenarios.start` is written; null where the family has no starts. */
  readonly start: Readonly<Record<string, unknown>> | null;
  /** By scripted seat, shape [A]: how often its partner did each action near the key moment. */
  readonly actionCounts: Readonly<Record<string, readonly number[]>>;
}

/** A changed simulator, and in words what was changed. */
export interface EditedParent {
  readonly simulator: SimulatorData;
  readonly origin: string;
}

/** One way of changing the data of a simulator so that its failure comes more often. Registered in `edits/registry.ts`. */
export interface Edit {
  readonly summary: string;
  /**
   * Changes nothing that it is given. What it makes is a simulator as the world's schema would write it, not
   * necessarily different from its parent.
   * @returns null where this parent leaves it nothing to change
   */
  apply(parent: Parent, context: GeneratorContext, random: RandomStream): EditedParent | null;
}

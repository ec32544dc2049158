import type { SimulatorData } from '../../../simulators/contract.ts';
import type { RandomStream } from '../../../simulators/random.ts';
import type { Evidence } from '../../strategies/contract.ts';
import type { Mined } from '../contract.ts';

/** A simulator made out of a failure by changing data, never code. */
export interface Edited {
  readonly simulator: SimulatorData;
  /** The failure, as `failureName` writes it. */
  readonly failure: string;
  /** Name of the validation simulator in which it happened. */
  readonly parent: string;
  /** What was changed, in words: "starts near the failing start of …". */
  readonly origin: string;
}

export interface GeneratorContext extends Pick<Evidence, 'randomization' | 'parameters' | 'compile' | 'learners'> {
  /** How badly episodes with these parameters, shape [P], are predicted to go, larger for worse; null before any is known. */
  readonly predict: ((parameters: Float64Array) => number) | null;
  /** Simulators that shall not be made again, as those of the pool. */
  readonly known: readonly SimulatorData[];
  /** How far an edit moves a number, as a share of the width of its range. */
  readonly scale: number;
}

/** Plain JSON: what a generator keeps of mined failures until the next mining. */
export type Kept = Readonly<Record<string, unknown>>;

/** A way of making simulators out of mined failures. Registered by name in `generators/registry.ts`. */
export interface CandidateGenerator {
  readonly name: string;
  readonly summary: string;
  /** Episodes of each of its simulators that are played before it may enter the pool; 0 where a prediction will do. */
  readonly probeEpisodes: number;
  /** @param round rounds completed when it was mined, which the names of failures begin with */
  keep(mined: Mined, round: number, context: GeneratorContext, random: RandomStream): Kept;
  /** At most `count` different simulators, none equal to the simulator that its failure happened in. */
  propose(kept: Kept, count: number, context: GeneratorContext, random: RandomStream): Edited[];
}

import type { SimulatorData } from '../../simulators/contract.ts';
import type { RandomizationRanges } from '../strategies/contract.ts';
import type { Verdict, VerdictLimits } from '../measures/collapse.ts';

/**
 * What is known of a run and of a variant, as plain data. Rounds are counted as rows count them: round k is the state
 * after k completed rounds, 0 the start. A pool decided at round k is trained on from round k + 1 on.
 */

/** The training episodes of one simulator in one round. */
export interface TrainedSimulator {
  readonly name: string;
  readonly simulatorHash: string;
  readonly episodes: number;
  readonly returnMean: number;
  /** Over episodes. */
  readonly returnStd: number;
}

export interface TrainedRound {
  readonly round: number;
  /** Of this round alone. */
  readonly envSteps: number;
  readonly wallS: number;
  /** In the order of the pool. */
  readonly simulators: readonly TrainedSimulator[];
}

/** An evaluation on the way; what was not measured is null or empty. */
export interface EvaluatedRound {
  readonly round: number;
  readonly validationReturn: number | null;
  readonly heldoutReturn: number | null;
  /** Shape [S E]: returns by test simulator and episode. Episode e has the same seed in every evaluation. */
  readonly heldoutEpisodes: readonly (readonly number[])[];
}

export interface PoolDecision {
  readonly round: number;
  readonly entries: readonly {
    readonly name: string;
    readonly simulatorHash: string;
    readonly weight: number;
    readonly reason: string;
    /** Whether its parameters are drawn anew for every episode. */
    readonly isRandomized: boolean;
  }[];
}

/** A simulator that entered the pool after the start, at the round at which it first did. */
export interface EnteredSimulator {
  readonly round: number;
  readonly simulator: SimulatorData;
  /** Whether it goes back to a mined failure. */
  readonly isFromFailure: boolean;
}

/** An attempt that is over. */
export interface AttemptHistory {
  readonly number: number;
  readonly kind: string;
  readonly round: number;
  /** `done` or the class of its failure. */
  readonly outcome: string;
  readonly peakRssMib: number | null;
}

/** The last policy, evaluated on all panels. */
export interface FinalScores {
  readonly verdict: Verdict | null;
  /** Return minus that of the random policy, on the training pool and on the test panel. */
  readonly trainGain: number | null;
  readonly heldoutGain: number | null;
  readonly heldoutReturn: number | null;
}

/** What came of playing one round again. */
export interface Replay {
  /** `differs_elsewhere`: other rows, on a machine for which equal rows are not promised. */
  readonly outcome: 'equal' | 'differs' | 'differs_elsewhere';
  /** Which round, how many values were compared, and the first that differs. */
  readonly summary: string;
}

export interface RunHistory {
  readonly runId: string;
  readonly seed: number;
  /** Ascending, as all lists by round. */
  readonly rounds: readonly TrainedRound[];
  readonly evaluations: readonly EvaluatedRound[];
  readonly pools: readonly PoolDecision[];
  /** Empty where nothing was mined, as `failing` is. */
  readonly entered: readonly EnteredSimulator[];
  /** Validation simulators in which episodes failed, at the round at which these were mined. */
  readonly failing: readonly Pick<EnteredSimulator, 'round' | 'simulator'>[];
  readonly attempts: readonly AttemptHistory[];
  readonly last: FinalScores | null;
  /** The newest; null when no round was played again. */
  readonly replay: Replay | null;
}

export interface VariantHistory {
  readonly variant: string;
  readonly strategyKind: string;
  readonly verdictLimits: VerdictLimits;
  /** Limit of resident memory of a training process. */
  readonly memoryLimitMib: number;
  /** Whether a program of the user trains it. */
  readonly isTrainedElsewhere: boolean;
  readonly runs: readonly RunHistory[];
  readonly randomization: RandomizationRanges;
  /** A variant of the same experiment that draws its simulators at random; null where there is none. */
  readonly randomSibling: { readonly variant: string; readonly heldoutBySeed: ReadonlyMap<number, number> } | null;
}

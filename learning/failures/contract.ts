import type { Key } from '../../simulators/random.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import type { EpisodeSample } from '../rollout/episode-sample.ts';

// Letters: T steps of an episode, N seats, W numbers of an action, S numbers of a state.

/** What a strategy wants to know of the validation panel. */
export interface MiningPlan {
  /** Episodes of each validation simulator. */
  readonly episodes: number;
  /**
   * `fixed`: the same simulators and starts at every mining. `fresh`: other starts each time, and the ranged numbers of
   * the simulators varied a little.
   */
  readonly draws: 'fixed' | 'fresh';
  /** Which episodes are failures: those of the lowest normalised score or, as a control, as many at random. */
  readonly select: 'lowest' | 'random';
  /** Share of all mined episodes that are failures, in (0, 1]. */
  readonly share: number;
  /** Most failures of one simulator. */
  readonly perSimulatorMax: number;
  /** Most groups of failures that are told apart; 1 for none. */
  readonly groupsMax: number;
}

/** One validation simulator as it was mined. */
export interface MinedSimulator {
  readonly name: string;
  /** As it was played, its numbers varied where the plan asks for it. */
  readonly simulator: SimulatorData;
  readonly episodes: number;
  /** Mean returns over the same episodes: of the run's policy, of the random one, of the best known one. */
  readonly returnMean: number;
  readonly randomMean: number;
  readonly knownMean: number;
  readonly knownBy: 'random' | 'scripted' | 'current' | 'earlier';
  /** Whether the best known return is within two standard errors of the random one: nothing can be learnt from it. */
  readonly isImpossible: boolean;
}

/** A mined episode that went badly, with all that is needed to play it again. */
export interface Failure {
  /** Name of the validation simulator. */
  readonly name: string;
  /** As it was played, its numbers varied where the plan asks for it. */
  readonly simulator: SimulatorData;
  /** Its place among the simulator's mined episodes. */
  readonly episode: number;
  /** Of the start, of what was drawn and of all chance within the world. */
  readonly key: Key;
  readonly return: number;
  /** (R − r) / (R_known − r): 0 as chance, 1 as the best known policy. */
  readonly score: number;
  /** The step t after which the critic's value fell most, 0 … T − 1. */
  readonly keyMoment: number;
  /** What stood near at the key moment: the family's state features, seat by seat. */
  readonly features: readonly number[];
  /** Failures of one group look alike at their key moments. */
  readonly group: number;
  /** Whether it stands for its group. */
  readonly isMedoid: boolean;
  /** Shape [T][N W]: what scripted seats did, and what was given for the others: with the key it gives the episode again. */
  readonly actions: readonly (readonly number[])[];
  /** Shape [T]: mean over the learners present. */
  readonly rewards: readonly number[];
  /** Shape [T+1]: the critic's value, mean over the learners present; 0 after a termination. */
  readonly values: readonly number[];
  /** Shape [T+1 S]: the numbers of the state at `Mined.statePaths`; what is no longer there has those of what never was. */
  readonly states: readonly (readonly number[])[];
}

/** What one mining of the validation panel found. */
export interface Mined {
  readonly simulators: readonly MinedSimulator[];
  /** The worst first. */
  readonly failures: readonly Failure[];
  /** Parameters of a simulator that say where its episodes start; empty where a family has none. */
  readonly statePaths: readonly string[];
  /** W: 1 where an action is one of several, otherwise the numbers of its box. */
  readonly actionSize: number;
  /** Every mined episode. */
  readonly samples: readonly EpisodeSample[];
  /** Of all that was played for it. */
  readonly envSteps: number;
}

/** The name of a failure within its run: the round it was mined in and its place among those of that round. */
export function failureName(round: number, index: number): string {
  return `${round}.${index + 1}`;
}

import type { z } from 'zod';
import type { Parameter, SimulatorData } from '../../simulators/contract.ts';
import type { RandomStream } from '../../simulators/random.ts';

/** Output of a strategy's schema. */
export interface StrategyOptions {
  readonly kind: string;
}

/** A simulator with the name it goes by in this run. */
export interface NamedSimulator {
  readonly name: string;
  readonly simulator: SimulatorData;
}

/** Path of a simulator's parameter → [low, high], both included. */
export type RandomizationRanges = Readonly<Record<string, readonly [low: number, high: number]>>;

/** All that a strategy may know. It holds no test simulator: strategies cannot ask for what they must not see. */
export interface Evidence<Options extends StrategyOptions = StrategyOptions> {
  readonly options: Options;
  /** Rounds completed so far; 0 when the run starts. */
  readonly roundIndex: number;
  /** The train panel, in the order of the spec. */
  readonly trainPanel: readonly NamedSimulator[];
  readonly validationPanel: readonly NamedSimulator[];
  /** Every simulator the spec or the catalogue names that is neither a validation nor a test simulator. */
  readonly simulators: readonly NamedSimulator[];
  readonly randomization: RandomizationRanges;
  /** Every parameter a simulator of this world can have. */
  readonly parameters: readonly Parameter[];
}

/** A simulator that may enter the pool. */
export interface Candidate extends NamedSimulator {
  /** Names of the simulators it was made from. */
  readonly parents: readonly string[];
  readonly origin: string;
}

/** What must be played to score candidates, beyond the episodes that are played anyway. */
export interface Probe {
  readonly candidate: string;
  readonly episodes: number;
}

export interface Proposal {
  readonly state: StrategyState;
  readonly candidates: readonly Candidate[];
  readonly probes: readonly Probe[];
}

/** Score of a candidate by its name. Higher is better; NaN when it could not be scored. */
export type CandidateScores = Readonly<Record<string, number>>;

export interface PoolEntry extends NamedSimulator {
  /** Probability that an episode is played in this simulator; the weights of a pool sum to 1. */
  readonly weight: number;
  readonly parents: readonly string[];
  /** Why it is in the pool, in words. */
  readonly reason: string;
}

/** Data that the rollout applies when an episode starts. */
export interface EpisodeRule {
  /** Ranges from which parameters of the chosen simulator are drawn for the episode; empty for none. */
  readonly randomization: RandomizationRanges;
}

/** A policy in the seats that do not learn, by seat. Empty: the simulators' own partners. */
export type PartnerAssignment = Readonly<Record<string, string>>;

/** A further policy trained inside the run. */
export interface Member {
  readonly name: string;
  readonly share: number;
}

export interface Decision {
  readonly state: StrategyState;
  readonly pool: readonly PoolEntry[];
  readonly partners: PartnerAssignment;
  readonly members: readonly Member[];
  readonly episodeRule: EpisodeRule;
}

/** Plain JSON: it is stored between rounds and must survive that unchanged. */
export type StrategyState = Readonly<Record<string, unknown>>;

/**
 * The rule that changes the pool and the partners from round to round: two pure functions over a state that can be
 * stored. Registered by name in `strategies/registry.ts`.
 */
export interface Strategy<Options extends StrategyOptions = StrategyOptions> {
  readonly kind: string;
  readonly summary: string;
  /** Schema of the `strategy` object of a spec, `kind` included. */
  readonly optionsSchema: z.ZodType<Options>;
  /** Whether it mines a validation panel, so that a spec without one is wrong. */
  readonly needsValidation: boolean;
  /** What is wrong with these options in this experiment, or nothing: each a key of the options and a sentence. */
  check(
    evidence: Evidence<Options>,
  ): readonly { readonly key: string; readonly problem: string; readonly remedy: string }[];
  /**
   * The simulators that it varies with draws of `randomization`, so that ranges can be checked against them before
   * anything runs; none when it does not use the ranges.
   * @param evidence one that `check` finds nothing wrong with
   */
  varied(evidence: Evidence<Options>): readonly NamedSimulator[];
  /** Whether the pool changes when this many rounds are completed; always asked, and true, at 0. */
  isDue(options: Options, roundIndex: number): boolean;
  /** @param state null when the run starts */
  propose(state: StrategyState | null, evidence: Evidence<Options>, random: RandomStream): Proposal;
  decide(proposal: Proposal, evidence: Evidence<Options>, scores: CandidateScores, random: RandomStream): Decision;
}

import type { z } from 'zod';
import type { Parameter, PartnerData, SeatGroup, SimulatorData, World } from '../../simulators/contract.ts';
import type { RandomStream } from '../../simulators/random.ts';
import type { Mined, MiningPlan } from '../failures/contract.ts';
import type { EpisodeSample } from '../rollout/episode-sample.ts';
import type { EpisodeSummary } from '../rollout/episode-tally.ts';

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

/**
 * What a strategy must be told beyond how the pool's training episodes went: scores of these episodes, each of them by
 * itself, the policies as files that can hold seats, the return of each member on the validation panel, or only that
 * there is such a panel.
 */
export type Need = 'episode_scores' | 'episode_samples' | 'policies' | 'validation_returns' | 'validation_panel';

/**
 * Scores of the training episodes of one simulator, means over its episodes. Values and returns are those of the critic:
 * discounted, mean over the learners present. NaN when there was no episode.
 */
export interface EpisodeScores {
  /** Mean over steps of max(generalised advantage, 0). */
  readonly positiveValueLoss: number;
  /** Mean over steps of the critic's value. */
  readonly valueMean: number;
  /** The largest discounted return of all its episodes. */
  readonly discountedReturnMax: number;
  /** V(s₀) − Σ γᵗ rₜ − γᵀ V(s_T): how much worse than the critic had expected. */
  readonly shortfall: number;
}

/** How the episodes of one simulator of the pool went since the strategy decided last. */
export interface TrainingEvidence extends EpisodeSummary {
  readonly name: string;
  /** Null unless the strategy needs `episode_scores`. */
  readonly scores: EpisodeScores | null;
}

/** What is known of a further policy since the strategy decided last. */
export interface MemberEvidence {
  readonly name: string;
  /** Mean return of the training episodes it played; NaN when there were none. */
  readonly trainingReturn: number;
  /** On the validation panel, in the evaluation's mode; null unless the strategy needs `validation_returns`. */
  readonly validationReturn: number | null;
  /** By group of seats: the policy as a file, by its hash. Null unless the strategy needs `policies`. */
  readonly policies: readonly string[] | null;
}

/** All that a strategy may know. It holds no test simulator: strategies cannot ask for what they must not see. */
export interface Evidence<Options extends StrategyOptions = StrategyOptions> {
  readonly options: Options;
  /** Rounds completed so far; 0 when the run starts. */
  readonly roundIndex: number;
  /** Rounds of the whole run. */
  readonly roundCount: number;
  /** Seats that learn, ascending. */
  readonly learners: readonly number[];
  readonly seatCount: number;
  readonly groups: readonly SeatGroup[];
  /** The train panel, in the order of the spec. */
  readonly trainPanel: readonly NamedSimulator[];
  readonly validationPanel: readonly NamedSimulator[];
  /** Every simulator the spec or the catalogue names that is neither a validation nor a test simulator. */
  readonly simulators: readonly NamedSimulator[];
  readonly randomization: RandomizationRanges;
  /** Every parameter a simulator of this world can have. */
  readonly parameters: readonly Parameter[];
  /** The algorithm's parameters that are numbers. */
  readonly hyperparameters: Readonly<Record<string, number>>;
  /** By entry of the pool that was decided last, in its order, partners crossed in; empty when the run starts. */
  readonly training: readonly TrainingEvidence[];
  /** By member of the last decision, in its order; empty when the run starts. */
  readonly members: readonly MemberEvidence[];
  /**
   * The newest episodes of the run, the oldest first: those of training and, where something was mined, those of that.
   * Empty unless the strategy needs `episode_samples`.
   */
  readonly samples: readonly EpisodeSample[];
  /** What was mined for this decision; null where the strategy asks for no mining now. */
  readonly mined: Mined | null;
  /** The world's own: shape [P], in the order of `parameters`. */
  readonly compile: World['compile'];
}

/** A simulator that may enter the pool. */
export interface Candidate extends NamedSimulator {
  /** Names of the simulators it was made from. */
  readonly parents: readonly string[];
  readonly origin: string;
  /** The mined failure that it was made from, as `failureName` writes it; absent where there is none. */
  readonly failure?: string;
}

/** What must be played to score a candidate, beyond the episodes that are played anyway. */
export interface Probe {
  readonly candidate: string;
  readonly episodes: number;
}

export interface Proposal {
  readonly state: StrategyState;
  readonly candidates: readonly Candidate[];
  readonly probes: readonly Probe[];
}

/** What the probes of a proposal gave, by name of the candidate, with sampled actions. */
export type CandidateScores = Readonly<Record<string, EpisodeSummary>>;

export interface PoolEntry extends NamedSimulator {
  /** Probability that an episode is played in this simulator; the weights of a pool sum to 1. */
  readonly weight: number;
  readonly parents: readonly string[];
  /** Why it is in the pool, in words. */
  readonly reason: string;
  /** Ranges from which its parameters are drawn anew for every episode; empty for none. */
  readonly randomization: RandomizationRanges;
  /** Whether the learners learn from its episodes; otherwise they are only scored. */
  readonly learns: boolean;
  /** The mined failure that it goes back to; absent where there is none. */
  readonly failure?: string;
  /** What its own training episodes taught of late, by the strategy's measure; absent where it has none. */
  readonly contribution?: number;
}

/** What a strategy thought of a candidate. */
export interface Judgement {
  readonly candidate: string;
  /** What it was ranked by, in the strategy's own units; NaN where it was not scored. */
  readonly score: number;
  /** How far it is from the pool in the space of parameters, each scaled to [0, 1]; NaN where nobody asked. */
  readonly novelty: number;
  /** Why it does not enter the pool; null when it does. */
  readonly refusal: string | null;
}

/** An entry that leaves the pool. */
export interface Eviction {
  readonly name: string;
  readonly reason: string;
  /** As in the pool; absent where the strategy has no measure of it. */
  readonly contribution?: number;
}

/** Who holds the seats of partners, in a share of the episodes, whatever the simulator. */
export interface PartnerChoice {
  readonly name: string;
  /** Probability; the weights of all choices sum to 1. */
  readonly weight: number;
  /** By seat; other seats keep the simulator's own partner. */
  readonly partners: Readonly<Record<string, PartnerData>>;
  readonly reason: string;
}

/** Data that the rollout applies when an episode starts. */
export interface EpisodeRule {
  /** Neighbouring environments that start alike, simulator and start state, and differ in their actions; 1 for none. */
  readonly groupSize: number;
}

/**
 * What a trained partner is rewarded with: its seats' own rewards, the learners', the learners' negated, or how near the
 * variance of the learners' success within a group of episodes is to its largest.
 */
export type MemberReward = 'own' | 'cooperative' | 'adversarial' | 'curriculum';

/** A policy that is trained inside the run. */
export interface Member {
  readonly name: string;
  /** Whether it holds the learners' seats, or those of partners of the kind `trained`. */
  readonly seats: 'learners' | 'partners';
  /** Of those in the learners' seats: the share of the update blocks that it plays; these sum to 1. Of partners: 1. */
  readonly share: number;
  readonly reward: MemberReward;
  /** Parameters of the algorithm in which it differs from the spec. */
  readonly hyperparameters: Readonly<Record<string, number>>;
  /** The member whose weights and optimizer it goes on from: itself, unless it was replaced by this decision. */
  readonly copies: string;
}

/** For strategies that train nothing but the learners. */
export const ONE_LEARNER: readonly Member[] = [
  { name: 'learner', seats: 'learners', share: 1, reward: 'own', hyperparameters: {}, copies: 'learner' },
];

export const PLAIN_EPISODES: EpisodeRule = { groupSize: 1 };

export interface Decision {
  readonly state: StrategyState;
  readonly pool: readonly PoolEntry[];
  /** Crossed with the pool; empty: the simulators' own partners. */
  readonly partners: readonly PartnerChoice[];
  /** At least one in the learners' seats. The first of them is the run's policy: it is evaluated and exported. */
  readonly members: readonly Member[];
  readonly episodeRule: EpisodeRule;
  /** By candidate of the proposal; absent where all of them enter. */
  readonly judgements?: readonly Judgement[];
  /** Why entries of the pool before left it; those it does not name are no longer chosen. */
  readonly evictions?: readonly Eviction[];
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
  needs(options: Options): readonly Need[];
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
  /** Whether it decides anew when this many rounds are completed; always asked, and true, at 0. */
  isDue(options: Options, roundIndex: number): boolean;
  /** Most episodes that the probes of a decision play when so many rounds are completed; a budget may count them. */
  probeEpisodesMax(options: Options, roundIndex: number): number;
  /**
   * Most simulators, partners crossed in, that a pool of it holds: known beforehand, because all are evaluated.
   * @param evidence one that `check` finds nothing wrong with
   */
  playedMax(evidence: Evidence<Options>): number;
  /** What it wants mined of the validation panel before it decides when so many rounds are completed; null for nothing. */
  mining(options: Options, roundIndex: number): MiningPlan | null;
  /** Members it holds in the learners' seats, whose evaluations on the validation panel a budget may count. */
  learnerCount(options: Options): number;
  /** @param state null when the run starts */
  propose(state: StrategyState | null, evidence: Evidence<Options>, random: RandomStream): Proposal;
  decide(proposal: Proposal, evidence: Evidence<Options>, scores: CandidateScores, random: RandomStream): Decision;
}

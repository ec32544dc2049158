import type { ArtifactReference } from '../infra/artifacts/artifact-store.ts';
import type { Device } from '../infra/executors.ts';
import type { MiningPlan } from '../learning/failures/contract.ts';
import type { Found, MineOptions } from '../learning/failures/mining/mine.ts';
import type { MemberDivergence } from '../learning/member-divergence.ts';
import type { PolicyMode } from '../learning/rollout/action-choice.ts';
import type { Behaviour } from '../learning/measures/behaviour.ts';
import type { WeightedSimulator } from '../learning/rollout/episode-source.ts';
import type { EpisodeSummary } from '../learning/rollout/episode-tally.ts';
import type { EvaluationSimulator, SimulatorEvaluation } from '../learning/evaluation.ts';
import type { TrainingSimulator } from '../learning/rollout/played-round.ts';
import type { SampleColumns } from '../learning/rollout/sample-log.ts';
import type { EpisodeRule, EpisodeScores, Member, NamedSimulator } from '../learning/strategies/contract.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { Key } from '../simulators/random.ts';

/** Which networks a request is about: those of a variant and seed, after a checkpoint. */
export interface SessionState {
  readonly variantHash: string;
  readonly resolved: ResolvedVariant;
  readonly seed: number;
  /** The policies that are trained in the run now. The checkpoint holds those of their names. */
  readonly members: readonly Member[];
  /** Null for the initial weights of the seed. */
  readonly checkpointHash: string | null;
  /** Rows of a minibatch that are computed at once; all when absent. */
  readonly chunkRows?: number | undefined;
  /** Where its networks are computed; on the processor when absent. */
  readonly device?: Device | undefined;
}

export interface TrainRequest extends SessionState {
  readonly roundIndex: number;
  readonly pool: readonly TrainingSimulator[];
  readonly episodeRule: EpisodeRule;
  /** Whether this is the first round of a decision, in which members go on from those that they copy. */
  readonly startsMembers: boolean;
  /** Whether the episodes are scored, which costs a pass over each block of experience. */
  readonly scoresEpisodes: boolean;
  /** Whether the newest of the scored episodes are reported one by one. */
  readonly keepsSamples: boolean;
  /** How many play the episodes, the process itself among them; the answer does not depend on it. */
  readonly samplerCount: number;
}

/** A round that was given up: nothing of it is kept. */
export interface DivergedRound {
  readonly divergence: MemberDivergence;
}

export type TrainResponse = TrainedRound | DivergedRound;

export interface TrainedRound {
  readonly divergence: null;
  /** Of all episodes, those that are only scored included. */
  readonly envSteps: number;
  /** Env steps of episodes that nobody learnt from. */
  readonly scoringEnvSteps: number;
  /** In the order of the pool; scores are null unless they were asked for. */
  readonly episodes: readonly (EpisodeSummary & { readonly scores: EpisodeScores | null })[];
  /** Null unless they were asked for. */
  readonly samples: SampleColumns | null;
  /** Of members in the learners' seats, in their order. */
  readonly members: readonly (Pick<EpisodeSummary, 'episodes' | 'returnMean'> & { readonly name: string })[];
  /** By simulator of the pool, by state feature: visits of the last update block. */
  readonly visitation: readonly (readonly number[][])[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly checkpoint: ArtifactReference;
  /** What the checkpoint lists of what members keep of former blocks. */
  readonly segments: readonly ArtifactReference[];
  /** Share of the round for which each of several samplers waited, the process itself first; empty for one. */
  readonly idleShares: readonly number[];
  /** Most memory that arrays of the process have held on a GPU, in MiB; null without one. */
  readonly peakGpuMib: number | null;
}

export interface EvaluateRequest extends SessionState {
  readonly player: 'policy' | 'random';
  /** Which of the members in the learners' seats plays. */
  readonly member: string;
  readonly simulators: readonly EvaluationSimulator[];
  readonly episodes: number;
  readonly mode: PolicyMode;
  /** Names the episodes; absent for those of an evaluation. */
  readonly key?: Key;
}

/** By simulator. */
export type EvaluateResponse = readonly SimulatorEvaluation[];

export interface BehaveRequest extends SessionState {
  /** Which of the members in the learners' seats plays. */
  readonly member: string;
  /** The training pool; weights sum to 1. */
  readonly simulators: readonly WeightedSimulator[];
  /** R − r on it, in units of return. */
  readonly gain: number;
}

export type BehaveResponse = Behaviour;

export interface MineRequest extends SessionState {
  /** Which of the members in the learners' seats plays. */
  readonly member: string;
  readonly mode: PolicyMode;
  /** As they are played, draws written in. */
  readonly simulators: readonly NamedSimulator[];
  /** Of the episodes of each simulator. */
  readonly keys: readonly Key[];
  readonly plan: MiningPlan;
  readonly earlier: MineOptions['earlier'];
  /** Of the draws by which failures are chosen, where they are to be random. */
  readonly selectionKey: Key;
}

export type MineResponse = Found;

export type ExportRequest = SessionState;

/** A policy as a file, for each member and group of seats that it has one for. */
export type ExportResponse = readonly {
  readonly member: string;
  readonly group: number;
  readonly artifact: ArtifactReference;
}[];

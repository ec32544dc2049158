import type { World } from '../../simulators/contract.ts';
import type { EpisodeRule } from '../strategies/contract.ts';
import type { WeightedSimulator } from './episode-source.ts';
import type { RewardKind } from './learned-rewards.ts';
import type { PolicyLoader } from './partner-policies.ts';

/** One simulator of the pool that a round trains on. */
export interface TrainingSimulator extends WeightedSimulator {
  /** Means the same simulator in every round of the run. */
  readonly name: string;
  /** Whether the learners learn from its episodes; otherwise they are only scored. */
  readonly learns: boolean;
}

/** Where the time of a training round goes. `waiting`: for samplers that play beside. */
export type TrainingStage = 'observing' | 'forward' | 'sampling' | 'stepping' | 'recording' | 'waiting' | 'update';

/** What is played in a round, whoever plays it. */
export interface PlayedRound {
  readonly world: World;
  readonly learners: readonly number[];
  readonly environmentCount: number;
  readonly stepCount: number;
  readonly pool: readonly TrainingSimulator[];
  readonly episodeRule: EpisodeRule;
  /** What the learners are rewarded with; partners are by the strategy that trains them. */
  readonly reward: RewardKind;
  /** Whether episodes are scored against the critic, which costs a pass over each block. */
  readonly scoresEpisodes: boolean;
  /** Whether the newest of the scored episodes are reported one by one. */
  readonly keepsSamples: boolean;
  /** Fetches policies that hold seats of the pool's simulators. */
  readonly loadPolicy: PolicyLoader;
  readonly seed: number;
  /** Rounds completed before this one. */
  readonly roundIndex: number;
  readonly onStage: (stage: TrainingStage) => void;
}

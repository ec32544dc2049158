import type { ArtifactReference } from '../infra/artifacts/artifact-store.ts';
import type { PolicyMode } from '../learning/action-choice.ts';
import type { EpisodeSummary } from '../learning/episode-tally.ts';
import type { EvaluationSimulator, SimulatorEvaluation } from '../learning/evaluation.ts';
import type { RandomizationRanges } from '../learning/strategies/contract.ts';
import type { TrainingSimulator } from '../learning/training.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';

/** Which networks a request is about: those of a variant and seed, after a checkpoint. */
export interface SessionState {
  readonly variantHash: string;
  readonly resolved: ResolvedVariant;
  readonly seed: number;
  /** Null for the initial weights of the seed. */
  readonly checkpointHash: string | null;
}

export interface TrainRequest extends SessionState {
  readonly roundIndex: number;
  readonly pool: readonly TrainingSimulator[];
  readonly randomization: RandomizationRanges;
}

export interface TrainResponse {
  readonly envSteps: number;
  readonly episodes: readonly EpisodeSummary[];
  /** By simulator of the pool, by state feature: visits of the last update block. */
  readonly visitation: readonly (readonly number[][])[];
  readonly metrics: Readonly<Record<string, number>>;
  /** False when some weight is no finite number: the training has diverged. */
  readonly isFinite: boolean;
  readonly checkpoint: ArtifactReference;
}

export interface EvaluateRequest extends SessionState {
  readonly player: 'policy' | 'random';
  readonly simulators: readonly EvaluationSimulator[];
  readonly episodes: number;
  readonly mode: PolicyMode;
}

/** By simulator. */
export type EvaluateResponse = readonly SimulatorEvaluation[];

export type ExportRequest = SessionState;

export type ExportResponse = readonly { readonly group: number; readonly artifact: ArtifactReference }[];

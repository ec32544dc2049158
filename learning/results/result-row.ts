import type { RunState } from '../../schemas/records.ts';
import type { ResolvedVariant, SpecialistKind } from '../../schemas/resolved-experiment.ts';
import type { CheckpointScores } from '../measures/checkpoint-scores.ts';
import type { RunMeasures } from '../measures/run-measures.ts';

/** What env steps are played for. Chance's reference returns are shared between runs and cost none of them anything. */
export type CostPurpose = 'training' | 'scoring' | 'mining' | 'evaluation';

/** Env steps by what they were played for. */
export type CostSums = Readonly<Record<CostPurpose, number>>;

/** One run in the result table. What is not measured, or not yet, is null. */
export interface ResultRow {
  readonly runId: string;
  readonly variant: string;
  readonly seed: number;
  readonly state: RunState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly envSteps: number;
  /** What the run's budget counts. */
  readonly budget: ResolvedVariant['budget'];
  readonly costs: CostSums | null;
  /** Why the spec has the variant, if `specialists` asks for it; null for a variant that its author wrote. */
  readonly specialist: SpecialistKind | null;
  /** Of the last checkpoint on each test simulator. */
  readonly testReturns: readonly TestReturn[];
  /** Completed rounds of the checkpoint that was best on validation. */
  readonly bestRound: number | null;
  readonly last: CheckpointScores | null;
  readonly best: CheckpointScores | null;
  /** Of all evaluated rounds together. */
  readonly measures: RunMeasures;
  readonly peakRssMib: number | null;
  readonly wallS: number | null;
  /** Of the time of all its attempts, the share of those that decided on the pool, in [0, 1]; null before an attempt ends. */
  readonly adaptWallShare: number | null;
  readonly programVersion: string | null;
}

/** What a run got on a simulator held out from it, and what a specialist got that trained on nothing else. */
export interface TestReturn {
  readonly own: number;
  /** Of the same seed; the mean over the specialist's seeds where that seed has none yet, null where all have none. */
  readonly specialist: number | null;
}

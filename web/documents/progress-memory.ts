import {
  plannedSteps,
  progressFrom,
  stepsDone,
  withSample,
  type Progress,
  type ProgressSample,
  type RunProgress,
} from '../../specification/progress.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';

/** Experiments whose speed is remembered at once. */
const KEPT_MAX = 200;

/** How fast experiments go, by when somebody looked at them: a speed takes two looks. */
export class ProgressMemory {
  private readonly samples = new Map<string, readonly ProgressSample[]>();

  /** @param nowMs of a clock that only goes forward */
  look(
    experimentId: string,
    resolved: Pick<ResolvedExperiment, 'variants'>,
    { runs, nowMs }: { runs: readonly RunProgress[]; nowMs: number },
  ): Progress<RunProgress> {
    const known = this.samples.get(experimentId) ?? [];
    const samples = withSample(known, { atMs: nowMs, envSteps: stepsDone(runs) });
    this.samples.delete(experimentId);
    this.samples.set(experimentId, samples);
    if (this.samples.size > KEPT_MAX) this.samples.delete(this.samples.keys().next().value!);
    return progressFrom(runs, plannedSteps(resolved), samples);
  }
}

import { mean, sampleStandardDeviation } from '../../../learning/statistics/moments.ts';
import { scoreInterval } from '../../../learning/statistics/score-interval.ts';
import type { ResolvedVariant } from '../../../schemas/resolved-experiment.ts';
import { PlainRun } from './plain-run.ts';
import { inTrainingProcess } from './training-process.ts';

/** A run from its first round to the evaluation of what it learnt. */
export interface LearnedRun {
  readonly returnMean: number;
  readonly returnStandardError: number;
  readonly envSteps: number;
  /** Of training, the making of graphs included. */
  readonly wallS: number;
  readonly peakRssMib: number;
}

/** Trains all rounds in a process of its own, and plays what it learnt on what it learnt from. */
export function learnedRun(variant: ResolvedVariant, seed: number): Promise<LearnedRun> {
  return inTrainingProcess(async (process) => {
    const run = new PlainRun(variant, { seed, process });
    const rounds = await run.trainAll();
    const returns = await run.returns();
    const total = (value: (round: (typeof rounds)[number]) => number): number =>
      rounds.reduce((sum, round) => sum + value(round), 0);
    return {
      returnMean: mean(returns),
      returnStandardError: sampleStandardDeviation(returns) / Math.sqrt(returns.length),
      envSteps: total(({ envSteps }) => envSteps),
      wallS: total(({ wallS }) => wallS),
      peakRssMib: Math.max(...rounds.map(({ peakRssMib }) => peakRssMib)),
    };
  });
}

/** What several seeds came to: their mean, the 95 % interval of it from five seeds on, and each of them. */
export interface SeedsReturn {
  readonly mean: number;
  readonly interval: { readonly from: number; readonly to: number } | 'none below five seeds';
  readonly seeds: readonly number[];
}

export function seedsReturn(returns: readonly number[]): SeedsReturn {
  const interval = scoreInterval('mean', [returns]);
  return {
    mean: mean(returns),
    interval: interval === null ? 'none below five seeds' : { from: interval[0], to: interval[1] },
    seeds: returns,
  };
}

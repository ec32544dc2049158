import { mean, sampleStandardDeviation } from '../statistics/moments.ts';
import { tailReturn } from './tail-return.ts';

// Letters: E episodes of one simulator.

/** A policy and the random policy on one simulator, episode e of both under the same seed. */
export interface ScoredSimulator {
  readonly weight: number;
  /** Shape [E]. */
  readonly returns: readonly number[];
  /** Shape [≥ E]: the random policy's; its mean over all of them is r(s). */
  readonly randomReturns: readonly number[];
  /** `visitationDivergence` from the training pool; null where there is none, and of the pool itself. */
  readonly visitationDivergence: number | null;
}

export type Verdict = 'healthy' | 'watch' | 'collapsed' | 'untrained';

export interface CollapseScores {
  readonly trainReturn: number | null;
  readonly validationReturn: number | null;
  readonly heldoutReturn: number | null;
  readonly worstHeldout: number | null;
  /** `tailReturn` of the test panel: how its worst tenth of episodes goes. */
  readonly cvarHeldout: number | null;
  readonly heldoutStd: number | null;
  readonly collapseGap: number | null;
  readonly relativeGap: number | null;
  readonly verdict: Verdict | null;
  /** train_return − r_train and heldout_return − r_test: what a variant's gap is summed from. */
  readonly trainGain: number | null;
  readonly heldoutGain: number | null;
  /** Mean over the test panel of how differently the learners move than on the training pool, in [0, 1]. */
  readonly visitationDivergence: number | null;
}

export interface CollapsePanels {
  readonly train: readonly ScoredSimulator[];
  readonly validation: readonly ScoredSimulator[];
  readonly test: readonly ScoredSimulator[];
}

/** Limits of relative_gap: below `watch` healthy, above `collapsed` collapsed, both limits themselves watch. */
export interface VerdictLimits {
  readonly watch: number;
  readonly collapsed: number;
}

/**
 * The measures of simulator collapse of one policy. A panel without simulators gives null: not measured.
 *
 *     collapse_gap = train_return − heldout_return
 *     relative_gap = 1 − (heldout_return − r_test) / (train_return − r_train)
 *
 * relative_gap is the share of what was learnt over random that is lost on the test panel. Where nothing was learnt it
 * has no meaning: it is NaN and the verdict `untrained` when the gain over random is at most two standard errors.
 *
 * @source ours; the nearest published measure is the gap between training and test levels of Procgen and CoinRun
 */
export function collapseScores(panels: CollapsePanels, limits: VerdictLimits): CollapseScores {
  const trainReturn = panelReturn(panels.train);
  const heldoutReturn = panelReturn(panels.test);
  const trainGain = gain(panels.train, trainReturn);
  const heldoutGain = gain(panels.test, heldoutReturn);
  const heldoutMeans = panels.test.map(({ returns }) => mean(returns));
  const relativeGap =
    trainGain === null || heldoutGain === null ? null : isTrained(panels.train) ? 1 - heldoutGain / trainGain : NaN;
  return {
    trainReturn,
    validationReturn: panelReturn(panels.validation),
    heldoutReturn,
    worstHeldout: heldoutMeans.length === 0 ? null : Math.min(...heldoutMeans),
    cvarHeldout: panels.test.length === 0 ? null : tailReturn(panels.test.map(({ returns }) => returns)),
    heldoutStd: heldoutMeans.length === 0 ? null : sampleStandardDeviation(heldoutMeans),
    collapseGap: trainReturn === null || heldoutReturn === null ? null : trainReturn - heldoutReturn,
    relativeGap,
    verdict: relativeGap === null ? null : verdictOf(relativeGap, limits),
    trainGain,
    heldoutGain,
    visitationDivergence: meanOfKnown(panels.test.map((simulator) => simulator.visitationDivergence)),
  };
}

function meanOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}

/** @param relativeGap NaN when the policy has learnt nothing */
export function verdictOf(relativeGap: number, { watch, collapsed }: VerdictLimits): Verdict {
  if (Number.isNaN(relativeGap)) return 'untrained';
  if (relativeGap < watch) return 'healthy';
  return relativeGap <= collapsed ? 'watch' : 'collapsed';
}

/**
 * Whether the gain over the random policy exceeds two standard errors. Episodes are paired: episode e of the policy and
 * of chance start alike, so their difference is what varies.
 */
export function isTrained(panel: readonly ScoredSimulator[]): boolean {
  const episodeCount = Math.min(
    ...panel.map(({ returns, randomReturns }) => Math.min(returns.length, randomReturns.length)),
  );
  const differences = Array.from({ length: episodeCount }, (_, episode) =>
    weightedMean(panel, ({ returns, randomReturns }) => returns[episode]! - randomReturns[episode]!),
  );
  const standardError = sampleStandardDeviation(differences) / Math.sqrt(episodeCount);
  return mean(differences) > 2 * standardError;
}

function panelReturn(panel: readonly ScoredSimulator[]): number | null {
  return panel.length === 0 ? null : weightedMean(panel, ({ returns }) => mean(returns));
}

function gain(panel: readonly ScoredSimulator[], panelReturnMean: number | null): number | null {
  if (panelReturnMean === null) return null;
  return panelReturnMean - weightedMean(panel, ({ randomReturns }) => mean(randomReturns));
}

function weightedMean(panel: readonly ScoredSimulator[], value: (simulator: ScoredSimulator) => number): number {
  const total = panel.reduce((sum, { weight }) => sum + weight, 0);
  return panel.reduce((sum, simulator) => sum + simulator.weight * value(simulator), 0) / total;
}

import { gapInterval } from '../results/gap-interval.ts';
import type { Interval } from '../statistics/bootstrap.ts';
import { mean } from '../statistics/moments.ts';
import { scoreInterval } from '../statistics/score-interval.ts';
import { type CollapsePanels, isTrained, type ScoredSimulator } from './collapse.ts';

// Letters: S simulators of a panel, E episodes of each.

/** 95 % intervals of the measures of collapse of one policy; null where there is no measure or there are too few episodes. */
export interface EpisodeIntervals {
  readonly trainReturn: Interval | null;
  readonly validationReturn: Interval | null;
  readonly heldoutReturn: Interval | null;
  readonly collapseGap: Interval | null;
  /** Null of a policy that has learnt nothing, too, and of one that has learnt nothing in some of the resamples. */
  readonly relativeGap: Interval | null;
}

/**
 * How far off the measures of one policy may be because the episodes could have been others: a bootstrap over episodes.
 * Episode e has the same seed in every simulator, so the episodes are resampled, and with each of them goes what all
 * simulators gave in it. The random policy's means r are taken as they are. That training could have gone otherwise is not in
 * these intervals: for that there are seeds.
 *
 * @param panels shape [S][E] each, with the same E in all
 * @source ours
 */
export function episodeIntervals(panels: CollapsePanels): EpisodeIntervals {
  const [train, validation, test] = [panels.train, panels.validation, panels.test].map(returnsByEpisode);
  const hasGap = panels.train.length > 0 && panels.test.length > 0;
  const [randomTrain, randomTest] = [panels.train, panels.test].map(randomReturn);
  const gains = hasGap
    ? train!.map((value, episode) => ({ train: value - randomTrain!, heldout: test![episode]! - randomTest! }))
    : [];
  return {
    trainReturn: meanInterval(train!),
    validationReturn: meanInterval(validation!),
    heldoutReturn: meanInterval(test!),
    collapseGap: hasGap ? meanInterval(train!.map((value, episode) => value - test![episode]!)) : null,
    relativeGap: hasGap && isTrained(panels.train) ? withEnds(gapInterval(gains)) : null,
  };
}

/** 95 % interval of the mean over episodes; null below five of them. */
export function meanInterval(values: readonly number[]): Interval | null {
  return scoreInterval('mean', [values]);
}

function withEnds(interval: Interval | null): Interval | null {
  return interval?.some(Number.isNaN) === true ? null : interval;
}

/** Shape [E]: by the weights of the panel; empty for an empty panel. */
function returnsByEpisode(panel: readonly ScoredSimulator[]): number[] {
  const [first] = panel;
  return (first?.returns ?? []).map((_, episode) => weighted(panel, ({ returns }) => returns[episode]!));
}

function randomReturn(panel: readonly ScoredSimulator[]): number {
  return weighted(panel, ({ randomReturns }) => mean(randomReturns));
}

function weighted(panel: readonly ScoredSimulator[], value: (simulator: ScoredSimulator) => number): number {
  const total = panel.reduce((sum, { weight }) => sum + weight, 0);
  return panel.reduce((sum, simulator) => sum + simulator.weight * value(simulator), 0) / total;
}

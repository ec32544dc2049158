import { episodeIntervals, type EpisodeIntervals } from '../../learning/measures/episode-intervals.ts';
import type { CheckpointScores } from '../../learning/measures/checkpoint-scores.ts';
import { SCORES } from '../../learning/results/result-columns.ts';
import type { PanelName } from '../../schemas/resolved-experiment.ts';
import type { Interval } from '../../learning/statistics/bootstrap.ts';
import type { Evaluated } from './evaluate-policies.ts';

/** A measure of the policy, with its interval over episodes where it has one. */
export interface MeasuredScore {
  /** As in the table of an experiment. */
  readonly key: string;
  readonly value: number | string | null;
  readonly interval: Interval | null;
}

/** What nobody can tell of a policy that gives its action alone. */
const OF_DISTRIBUTIONS: readonly (keyof CheckpointScores)[] = ['policyEntropy', 'zeroVarianceShare'];

/** Every measure of a checkpoint, in the order of the table of an experiment. */
export function measuredScores(evaluated: Evaluated): MeasuredScore[] {
  const { assessment, members, policies } = evaluated;
  const panel = (name: PanelName) => assessment.scored.filter((_, index) => members[index]!.panel === name);
  const intervals = episodeIntervals({
    train: panel('train'),
    validation: panel('validation'),
    test: panel('test'),
  });
  const isCertain = [...policies.values()].some(({ model }) => model.isCertain === true);
  return SCORES.map(([key, score]) => ({
    key,
    value: isCertain && OF_DISTRIBUTIONS.includes(score) ? null : assessment.scores[score],
    interval: intervals[score as keyof EpisodeIntervals] ?? null,
  }));
}

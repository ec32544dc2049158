import { type Outcome, outcomeFrom, replayScores } from '../../strategies/replay-score.ts';
import { mean } from '../../statistics/moments.ts';
import type { TrainingEvidence } from '../../strategies/contract.ts';

/** How the training episodes of a pool's entries went before the last decisions, the newest last, by name: plain JSON. */
export type EntryOutcomes = Readonly<Record<string, readonly Outcome[]>>;

/** Decisions that a contribution is taken over. */
const WINDOW = 3;

/**
 * The outcomes after further episodes; an entry of which too little was played keeps what it had.
 * @param names entries of the pool now
 */
export function withOutcomes(
  before: EntryOutcomes,
  training: readonly TrainingEvidence[],
  names: readonly string[],
): EntryOutcomes {
  const evidence = new Map(training.map((entry) => [entry.name, entry]));
  return Object.fromEntries(
    names.map((name) => {
      const outcome = outcomeFrom(evidence.get(name), null);
      const earlier = before[name] ?? [];
      return [name, (outcome === null ? earlier : [...earlier, outcome]).slice(-WINDOW)];
    }),
  );
}

/**
 * What entries contributed of late: the learnability of their own training episodes. It is one quantity for all of them,
 * as `replayScores` has it, so that they can be compared.
 * @returns by entry; NaN for one that is too young to have any
 */
export function contributionsOf(outcomes: EntryOutcomes, names: readonly string[]): number[] {
  const judged = names.map((name) => outcomes[name] ?? []).map((each) => (each.length === 0 ? null : pooled(each)));
  const known = judged.filter((outcome) => outcome !== null);
  const scores = replayScores('learnability', known);
  return judged.map((outcome) => (outcome === null ? NaN : scores[known.indexOf(outcome)]!));
}

function pooled(outcomes: readonly Outcome[]): Outcome {
  return {
    returnMean: mean(outcomes.map(({ returnMean }) => returnMean)),
    returnVariance: mean(outcomes.map(({ returnVariance }) => returnVariance)),
    successRate: mean(outcomes.map(({ successRate }) => successRate)),
    critic: null,
  };
}

import { outcomeFrom, replayScores } from '../strategies/replay-score.ts';
import type { TrainingEvidence } from '../strategies/contract.ts';

/** What the entries of a pool taught at the last decisions, the newest last, by name: plain JSON. */
export type Contributions = Readonly<Record<string, readonly number[]>>;

/** Decisions that a contribution is the mean of. */
const WINDOW = 3;

/**
 * The contributions after further episodes. What an entry contributes is the learnability of its own training episodes;
 * one of which too little was played keeps what it had.
 *
 * @param names entries of the pool now
 */
export function withContributions(
  before: Contributions,
  training: readonly TrainingEvidence[],
  names: readonly string[],
): Contributions {
  const played = training.flatMap((evidence) => {
    const outcome = outcomeFrom(evidence, null);
    return outcome === null ? [] : [{ name: evidence.name, outcome }];
  });
  const scores = replayScores(
    'learnability',
    played.map(({ outcome }) => outcome),
  );
  const news = new Map(played.map(({ name }, index) => [name, scores[index]!]));
  return Object.fromEntries(
    names.map((name) => {
      const value = news.get(name);
      const earlier = before[name] ?? [];
      return [name, (value === undefined ? earlier : [...earlier, value]).slice(-WINDOW)];
    }),
  );
}

/** Mean over the last decisions; NaN for an entry that is too young to have any. */
export function contributionOf(contributions: Contributions, name: string): number {
  const values = contributions[name] ?? [];
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

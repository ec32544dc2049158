import type { Candidate, TrainingEvidence } from './contract.ts';
import { type Replayable, replayDistribution, type ReplayOptions } from './replay-distribution.ts';
import { type Outcome, outcomeFrom, type ReplayScore, replayScores } from './replay-score.ts';

/** A simulator that may be replayed. */
export interface BufferEntry extends Candidate {
  readonly outcome: Outcome;
  /** Decisions since it was last played. */
  readonly age: number;
}

export interface BufferOptions extends ReplayOptions {
  /** Most entries. */
  readonly size: number;
  readonly score: ReplayScore;
}

/** A candidate with what its first episodes tell. */
export interface PlayedCandidate extends Candidate {
  readonly outcome: Outcome;
}

/** The entries after some episodes: those that were played are young again, and what is known of them is renewed. */
export function withEvidence(
  entries: readonly BufferEntry[],
  evidence: ReadonlyMap<string, TrainingEvidence>,
): BufferEntry[] {
  return entries.map((entry) => {
    const played = evidence.get(entry.name);
    const outcome = outcomeFrom(played, entry.outcome) ?? entry.outcome;
    return { ...entry, outcome, age: played !== undefined && played.episodes > 0 ? 0 : entry.age + 1 };
  });
}

/**
 * Takes a simulator in: where the buffer is full, in the place of the entry of the lowest replay probability (of equal
 * ones, the oldest), and only if its score is higher than that one's.
 */
export function inserted(
  entries: readonly BufferEntry[],
  candidate: PlayedCandidate,
  options: BufferOptions,
): readonly BufferEntry[] {
  const entry: BufferEntry = { ...candidate, age: 0 };
  if (entries.length < options.size) return [...entries, entry];
  const weights = replayDistribution(scored(entries, options.score), options);
  const lowest = weights.indexOf(Math.min(...weights));
  const scores = replayScores(
    options.score,
    [...entries, entry].map(({ outcome }) => outcome),
  );
  if (scores.at(-1)! <= scores[lowest]!) return entries;
  return [...entries.filter((_, index) => index !== lowest), entry];
}

/** The entries as the replay distribution wants them. */
export function scored(entries: readonly BufferEntry[], score: ReplayScore): Replayable[] {
  const scores = replayScores(
    score,
    entries.map(({ outcome }) => outcome),
  );
  return entries.map(({ age }, index) => ({ age, score: scores[index]! }));
}

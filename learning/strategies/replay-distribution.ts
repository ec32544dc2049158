// Letters: M entries of a buffer, in the order in which they were inserted.

export interface Replayable {
  /** Any number that is not NaN; higher is replayed more often. */
  readonly score: number;
  /** Decisions since it was last played, 0 when it was played since the last one. */
  readonly age: number;
}

export interface ReplayOptions {
  /** β > 0: near 0 the entry of the highest score takes all, large ones make entries equal. */
  readonly temperature: number;
  /** ρ, 0 … 1: the share that is given to the entries that were not played for long. */
  readonly staleness: number;
}

/**
 * The probability of each entry of a buffer to be replayed.
 *
 *     P = (1 − ρ)·P_S + ρ·P_C,   P_S(i) ∝ (1 / rank(score_i))^(1/β),   P_C(i) ∝ age_i
 *
 * Rank 1 has the highest score, and of equal scores the one inserted first. Where all ages are 0, P_C says nothing and P
 * is P_S.
 *
 * @param entries shape [M]
 * @returns shape [M], a new array; sums to 1, empty for no entries. Single probabilities may be 0: those of low ranks
 *   under low temperatures, by underflow, and with ρ = 1 those that were just played
 * @source Jiang, Grefenstette, Rocktäschel: Prioritized Level Replay (arXiv 2010.03934), eq. 1–3
 */
export function replayDistribution(
  entries: readonly Replayable[],
  { temperature, staleness }: ReplayOptions,
): number[] {
  const byScore = normalized(scoreRanks(entries).map((rank) => Math.pow(1 / rank, 1 / temperature)));
  if (entries.every(({ age }) => age === 0)) return byScore;
  const byAge = normalized(entries.map(({ age }) => age));
  return byScore.map((share, index) => (1 - staleness) * share + staleness * byAge[index]!);
}

/** Shape [M], ranks 1 … M by entry. */
function scoreRanks(entries: readonly Replayable[]): number[] {
  const order = entries.map((_, index) => index).sort((a, b) => entries[b]!.score - entries[a]!.score || a - b);
  const ranks = new Array<number>(entries.length);
  order.forEach((entry, position) => (ranks[entry] = position + 1));
  return ranks;
}

/** @param values not negative, their sum positive */
function normalized(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}

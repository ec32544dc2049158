import type { Candidate, Judgement } from '../../strategies/contract.ts';
import { noveltyOf, type ParameterDistance } from './novelty.ts';

// Letters: P parameters of a simulator.

/** A candidate with what is known of it. */
export interface JudgedCandidate {
  readonly candidate: Candidate;
  /** Compiled, shape [P]. */
  readonly vector: Float64Array;
  /** Larger is better; NaN where nothing is known. */
  readonly score: number;
  /** Why it cannot enter, whatever its score; null where it can. */
  readonly refusal: string | null;
}

export interface AdmissionOptions {
  /** Simulators that enter. */
  readonly count: number;
  /** Weight of the novelty beside the score, both as deviations from the mean of those compared. */
  readonly noveltyWeight: number;
  /** The pool so far, compiled, each of shape [P]. */
  readonly pool: readonly Float64Array[];
  readonly distance: ParameterDistance;
}

export interface Admission {
  /** In the order in which they were chosen. */
  readonly admitted: readonly Candidate[];
  /** By candidate. */
  readonly judgements: readonly Judgement[];
}

/**
 * Chooses one candidate after the other, each time the one of the largest
 *
 *     z(score) + weight · z(novelty),   z(x) = (x − mean) / standard deviation over those still to be chosen
 *
 * Novelty is the distance to the nearest simulator of the pool, those chosen before included, so that two look-alikes do
 * not enter together. Of equal ones the first is taken.
 */
export function admit(candidates: readonly JudgedCandidate[], options: AdmissionOptions): Admission {
  const { count, pool, distance } = options;
  const taken: JudgedCandidate[] = [];
  const novelties = candidates.map(({ vector }) => noveltyOf(vector, pool, distance));
  const open = new Set(candidates.keys());
  candidates.forEach(({ refusal }, index) => refusal !== null && open.delete(index));
  while (taken.length < count && open.size > 0) {
    const best = bestOf([...open], candidates, novelties, options);
    open.delete(best);
    taken.push(candidates[best]!);
    for (const index of open) {
      novelties[index] = Math.min(novelties[index]!, distance(candidates[index]!.vector, candidates[best]!.vector));
    }
  }
  const entered = new Set(taken);
  const outdone = `outdone by ${taken.length} of ${candidates.length} candidates`;
  return {
    admitted: taken.map(({ candidate }) => candidate),
    judgements: candidates.map((judged, index) => ({
      candidate: judged.candidate.name,
      score: judged.score,
      novelty: novelties[index]!,
      refusal: entered.has(judged) ? null : (judged.refusal ?? outdone),
    })),
  };
}

function bestOf(
  open: readonly number[],
  candidates: readonly JudgedCandidate[],
  novelties: readonly number[],
  { noveltyWeight }: AdmissionOptions,
): number {
  const scores = standardized(open.map((index) => candidates[index]!.score));
  const distances = standardized(open.map((index) => novelties[index]!));
  let best = 0;
  let bestMerit = -Infinity;
  open.forEach((_, place) => {
    const merit = scores[place]! + (noveltyWeight === 0 ? 0 : noveltyWeight * distances[place]!);
    if (merit <= bestMerit) return;
    best = place;
    bestMerit = merit;
  });
  return open[best]!;
}

/** What is no finite number counts as the mean, and where all are equal all are 0. */
function standardized(values: readonly number[]): number[] {
  const known = values.filter(Number.isFinite);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length;
  const deviation = Math.sqrt(variance);
  return values.map((value) => (Number.isFinite(value) && deviation > 0 ? (value - mean) / deviation : 0));
}

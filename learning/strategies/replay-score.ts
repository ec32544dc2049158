import { ThawError } from '../../schemas/errors.ts';
import type { EpisodeScores, TrainingEvidence } from './contract.ts';

// Letters: M simulators, s one of them, R the return of an episode, V the critic's value, p the success rate.

/** What a simulator can be replayed for; see `replayScores`. */
export const REPLAY_SCORES = [
  'positive_value_loss',
  'max_mc',
  'learnability',
  'return_variance',
  'relative_return_variance',
] as const;

export type ReplayScore = (typeof REPLAY_SCORES)[number];

/** How the last training episodes of a simulator went: what any score is made of. All numbers are finite. */
export interface Outcome {
  readonly returnMean: number;
  /** Over episodes, n − 1. */
  readonly returnVariance: number;
  /** 0 … 1. */
  readonly successRate: number;
  /** Null where the score does without the critic. The largest discounted return is that of all episodes ever seen. */
  readonly critic: Pick<EpisodeScores, 'positiveValueLoss' | 'valueMean' | 'discountedReturnMax'> | null;
}

/** Added to returns that a variance is divided by. @source UPD, arXiv 2508.06336 */
const RETURN_OFFSET = 1e-8;

/** Whether a score is made of what the critic says. */
export function needsCritic(score: ReplayScore): boolean {
  return score === 'positive_value_loss' || score === 'max_mc';
}

/**
 * What training episodes tell, or null where they tell too little: there were fewer than two, or some number is not
 * finite.
 * @param before what was known of the simulator
 */
export function outcomeFrom(evidence: TrainingEvidence | undefined, before: Outcome | null): Outcome | null {
  if (evidence === undefined || evidence.episodes < 2) return null;
  const { returnMean, returnStd, successRate, scores } = evidence;
  const critic = scores && {
    positiveValueLoss: scores.positiveValueLoss,
    valueMean: scores.valueMean,
    discountedReturnMax: Math.max(scores.discountedReturnMax, before?.critic?.discountedReturnMax ?? -Infinity),
  };
  const outcome = { returnMean, returnVariance: returnStd ** 2, successRate };
  const isFinite = [...Object.values(outcome), ...Object.values(critic ?? {})].every(Number.isFinite);
  return isFinite ? { ...outcome, critic } : null;
}

/**
 * How much there is to learn in each of several simulators.
 *
 *     positive_value_loss         mean over steps of max(generalised advantage, 0)
 *     max_mc                      R_max(s) − mean over steps of V, R_max the largest discounted return ever seen on s
 *     learnability                p(1 − p); where that is 0 on all M, Var[R] / (max over M of |E[R]| + 10⁻⁸)²
 *     return_variance             Var[R]
 *     relative_return_variance    Var[R] / (E[R] + 10⁻⁸)²
 *
 * Learnability falls back for all M together, never for some of them, so that what is ranked is always one quantity.
 *
 * @param outcomes shape [M]
 * @returns shape [M]
 * @throws DEFECT_INVARIANT when the score is made of what the critic says and there is nothing from it
 * @source positive value loss and max MC: Jiang et al., Replay-Guided Adversarial Environment Design (arXiv 2110.02439);
 *   learnability: Rutherford et al., SFL (arXiv 2408.15099); variances: UPD (arXiv 2508.06336)
 */
export function replayScores(score: ReplayScore, outcomes: readonly Outcome[]): number[] {
  switch (score) {
    case 'positive_value_loss':
      return outcomes.map((outcome) => criticOf(outcome).positiveValueLoss);
    case 'max_mc':
      return outcomes.map(criticOf).map(({ discountedReturnMax, valueMean }) => discountedReturnMax - valueMean);
    case 'learnability':
      return learnabilities(outcomes);
    case 'return_variance':
      return outcomes.map(({ returnVariance }) => returnVariance);
    case 'relative_return_variance':
      return outcomes.map(({ returnVariance, returnMean }) => returnVariance / (returnMean + RETURN_OFFSET) ** 2);
  }
}

function learnabilities(outcomes: readonly Outcome[]): number[] {
  const bySuccess = outcomes.map(({ successRate }) => successRate * (1 - successRate));
  if (bySuccess.some((value) => value > 0)) return bySuccess;
  const scale = Math.max(...outcomes.map(({ returnMean }) => Math.abs(returnMean))) + RETURN_OFFSET;
  return outcomes.map(({ returnVariance }) => returnVariance / scale ** 2);
}

function criticOf({ critic }: Outcome): NonNullable<Outcome['critic']> {
  if (critic === null) throw new ThawError('DEFECT_INVARIANT', 'a score of the critic needs scores of the episodes');
  return critic;
}

import { mean, sampleStandardDeviation } from '../statistics/moments.ts';

// Letters: S test simulators, E episodes of one of them.

/** How the policy after so many completed rounds did on the test panel. */
export interface EvaluatedRound {
  readonly round: number;
  /** Shape [S][E]: in units of return; simulators and episodes are the same in every round. */
  readonly returns: readonly (readonly number[])[];
}

export interface RiseThenFall {
  /** Completed rounds of the policy that did best on the even-numbered episodes. */
  readonly bestRound: number;
  /** Return that was lost from there to the last round, on the odd-numbered episodes; 0 where the last is the best. */
  readonly fall: number;
  /** Of `fall`; NaN below two odd-numbered episodes. */
  readonly standardError: number;
  /** Whether held-out returns rose and then fell by more than chance explains, and by enough to matter. */
  readonly found: boolean;
}

/** The share of what the best round had gained over random that a fall must exceed. */
const FALL_SHARE = 0.1;

/**
 * Whether returns on the test panel rise and then fall while training goes on.
 *
 *     best  = the first evaluated round with the highest mean over the even-numbered episodes
 *     d(e)  = R(best, e) − R(last, e), e odd, mean over the simulators
 *     fall  = mean of d,   standard error = std(d) / √n,   n odd episodes
 *     found = best is not the last ∧ fall > 2 standard errors ∧ fall > 0.1 (R(best) − r_test), R(best) on the odd episodes
 *
 * Chosen on other episodes than it is measured on: the best of many noisy rounds looks better than it is, and every curve
 * would seem to fall. Episodes are paired: they start alike in every round.
 *
 * @param rounds in their order, the untrained policy after 0 rounds included
 * @param randomReturn r_test, mean of the random policy over the panel
 * @returns null where nothing is held out, fewer than two rounds were evaluated, or a return is NaN
 * @source ours
 */
export function riseThenFall(rounds: readonly EvaluatedRound[], randomReturn: number): RiseThenFall | null {
  if (rounds.length < 2 || rounds.some(({ returns }) => returns.length === 0)) return null;
  const curve = rounds.map(({ returns }) => mean(everySecond(overSimulators(returns), 0)));
  const best = curve.indexOf(Math.max(...curve));
  if (best < 0) return null;
  const [atBest, atLast] = [rounds[best]!, rounds.at(-1)!].map(({ returns }) =>
    everySecond(overSimulators(returns), 1),
  );
  const losses = atBest!.map((value, index) => value - atLast![index]!);
  const fall = mean(losses);
  const standardError = sampleStandardDeviation(losses) / Math.sqrt(losses.length);
  const found =
    best < rounds.length - 1 && fall > 2 * standardError && fall > FALL_SHARE * (mean(atBest!) - randomReturn);
  return { bestRound: rounds[best]!.round, fall, standardError, found };
}

/** @returns shape [E] */
function overSimulators(returns: readonly (readonly number[])[]): number[] {
  return returns[0]!.map((_, episode) => mean(returns.map((episodes) => episodes[episode]!)));
}

function everySecond(values: readonly number[], first: 0 | 1): number[] {
  return values.filter((_, index) => index % 2 === first);
}

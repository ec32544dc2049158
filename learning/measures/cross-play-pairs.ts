import type { World } from '../../simulators/contract.ts';

/** Group of seats, as text → the policy that acts for it, by the hash of its file. */
export type PoliciesByGroup = Readonly<Record<string, string>>;

/** A run that is finished, with the policies that it left. */
export interface FinishedRun {
  readonly variant: string;
  readonly seed: number;
  /** The learners' own, one for every group, whether anybody learns in it or not. */
  readonly policies: PoliciesByGroup;
  /** Trained along with the learners for the seats of partners; empty when the strategy trains none. */
  readonly partners: PoliciesByGroup;
}

/** Two runs that are to play together. */
export interface CrossPlayPair {
  readonly row: FinishedRun;
  readonly column: FinishedRun;
}

/**
 * The pairs of finished runs that are played: under each seed every variant with every variant, itself included; and every
 * run with the next seed of its own variant, in a circle: a stranger that was made after the same recipe. A variant with
 * one finished seed has no such stranger.
 */
export function crossPlayPairs(runs: readonly FinishedRun[]): CrossPlayPair[] {
  return runs.flatMap((row) => {
    const met = runs.filter(({ seed }) => seed === row.seed);
    const own = runs.filter(({ variant }) => variant === row.variant).sort((a, b) => a.seed - b.seed);
    const stranger = own[(own.indexOf(row) + 1) % own.length]!;
    return [...met, ...(stranger === row ? [] : [stranger])].map((column) => ({ row, column }));
  });
}

/**
 * The policies that a run has for some seats: the learners' own where somebody of the seat's role learns, otherwise a
 * partner that was trained along.
 * @returns or the role for which there is none
 */
export function policiesFor(
  run: Pick<FinishedRun, 'policies' | 'partners'>,
  seats: readonly number[],
  { groups, learners }: { groups: World['groups']; learners: readonly number[] },
): { readonly policies: PoliciesByGroup } | { readonly missingRole: string } {
  const found: Record<string, string> = {};
  for (const [index, group] of groups.entries()) {
    if (!group.seats.some((seat) => seats.includes(seat))) continue;
    const isLearnt = group.seats.some((seat) => learners.includes(seat));
    const artifact = (isLearnt ? run.policies : run.partners)[String(index)];
    if (artifact === undefined) return { missingRole: group.role };
    found[String(index)] = artifact;
  }
  return { policies: found };
}

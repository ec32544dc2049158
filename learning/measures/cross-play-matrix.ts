import { mean, sampleStandardDeviation } from '../statistics/moments.ts';
import { pairedDifference, type PairedDifference } from '../statistics/paired-difference.ts';

// Letters: V variants, S seeds of a pair.

/** How one pair of runs played. */
export interface CrossPlayResult {
  readonly rowVariant: string;
  readonly rowSeed: number;
  readonly columnVariant: string;
  readonly columnSeed: number;
  /** Mean over the episodes. */
  readonly returnMean: number;
}

/** Mean return of a pair of variants over its seeds, with the standard deviation over them (n − 1). */
export interface CrossPlayEntry {
  readonly n: number;
  readonly mean: number;
  /** NaN for one seed. */
  readonly std: number;
}

/** One policy's row of the matrix. */
export interface CrossPlayRow {
  readonly variant: string;
  /** Shape [V]: with the policies of each variant of the same seed; null where no seed was played. */
  readonly entries: readonly (CrossPlayEntry | null)[];
  /** With its own variant of another seed. */
  readonly otherSeed: CrossPlayEntry | null;
  /** Own partner minus stranger of the same recipe, by seed. Null where one of the two was not played. */
  readonly familiarity: PairedDifference | null;
}

/**
 * The cross-play matrix: entry (i, j) is the mean over seeds s of the return of policy (i, s) with policy (j, s) in the
 * other seats. The diagonal is play with its own partner; `otherSeed` is play with the policy that the same recipe made
 * under another seed. A diagonal far above it tells of conventions that only these two share.
 *
 * @source Hu et al., "Other-Play" for Zero-Shot Coordination, arXiv 2003.02979 (self-play against cross-play)
 */
export function crossPlayMatrix(variants: readonly string[], results: readonly CrossPlayResult[]): CrossPlayRow[] {
  return variants.map((variant) => {
    const ofRow = results.filter(({ rowVariant }) => rowVariant === variant);
    const together = (column: string) => bySeed(ofRow.filter((each) => each.columnVariant === column && isSame(each)));
    const apart = bySeed(ofRow.filter((each) => !isSame(each)));
    const difference = pairedDifference(together(variant), apart);
    return {
      variant,
      entries: variants.map((column) => entryOf(together(column))),
      otherSeed: entryOf(apart),
      familiarity: difference.n === 0 ? null : difference,
    };
  });
}

function isSame({ rowSeed, columnSeed }: CrossPlayResult): boolean {
  return rowSeed === columnSeed;
}

/** In the order of seeds, so that no sum depends on what was played first. */
function bySeed(results: readonly CrossPlayResult[]): Map<number, number> {
  const ordered = [...results].sort((a, b) => a.rowSeed - b.rowSeed);
  return new Map(ordered.map(({ rowSeed, returnMean }) => [rowSeed, returnMean]));
}

function entryOf(returns: ReadonlyMap<number, number>): CrossPlayEntry | null {
  if (returns.size === 0) return null;
  const values = [...returns.values()];
  return { n: values.length, mean: mean(values), std: sampleStandardDeviation(values) };
}

import { byRound, type Scalar } from '../../learning/results/run-scalars.ts';

/** Numbers that are told at once. */
interface Batch {
  readonly scalars: readonly Scalar[];
  /** The last round that is told whole with this batch; null where none is. */
  readonly throughRound: number | null;
}

/**
 * Packs numbers, round by round, into batches of limited size. A batch holds whole rounds; only a round that is larger than a batch is
 * told in several, the last of which says that it is whole.
 * @param scalars ordered by round @param throughRound the last round that they are of, which may have none
 */
export function roundBatches(scalars: readonly Scalar[], throughRound: number, sizeMax: number): Batch[] {
  const batches: Batch[] = [];
  let batch: Scalar[] = [];
  const close = (whole: number | null): void => {
    batches.push({ scalars: batch, throughRound: whole });
    batch = [];
  };
  for (const [round, ofRound] of byRound(scalars)) {
    if (batch.length > 0 && batch.length + ofRound.length > sizeMax) close(round - 1);
    for (const scalar of ofRound) {
      if (batch.length === sizeMax) close(null);
      batch.push(scalar);
    }
  }
  close(throughRound);
  return batches;
}

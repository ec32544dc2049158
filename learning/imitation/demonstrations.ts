import { ThawError } from '../../schemas/errors.ts';
import type { ActionArray, ActionSpace } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';

// Letters: n samples, I observation features, W numbers of an action, A actions.

/** What somebody did in what they saw. */
export interface Demonstrations {
  /** I. */
  readonly inputSize: number;
  readonly space: ActionSpace;
  /** Shape [n I]. */
  readonly inputs: Float32Array;
  /** Shape [n W]: the index of a discrete action, or the numbers of a box as the world takes them. */
  readonly actions: ActionArray;
  /** Shape [n A]: 1 where an action was legal, 0 where not; null where nothing of it is known. */
  readonly masks: Float32Array | null;
  /** Shape [n]: the episode of each sample, ascending. */
  readonly episodes: Int32Array;
}

/** Samples by their places 0 … n − 1, ascending, and how many episodes they are of. */
export interface Samples {
  readonly rows: Int32Array;
  readonly episodes: number;
}

/**
 * Keeps a share of the episodes out of the fit. Whole episodes, because the steps of one resemble each other: held-out steps
 * of an episode that was fitted to would tell nothing.
 *
 * @param share of the episodes that is held out, 0 … 1; at least one is, and one is left
 * @throws REQUEST_BAD_ARGUMENT when there are fewer than two episodes
 */
export function splitByEpisode(
  { episodes }: Demonstrations,
  share: number,
  seed: number,
): { readonly training: Samples; readonly heldout: Samples } {
  const order = Int32Array.from(new Set(episodes));
  if (order.length < 2) {
    throw new ThawError(
      'REQUEST_BAD_ARGUMENT',
      `A partner is cloned from at least 2 episodes; found ${order.length}.`,
      {
        remedy: 'Record more episodes: some are held out, to tell how well the clone imitates. Or leave partners out.',
      },
    );
  }
  new RandomStream(keyFrom(seed, PURPOSE.demonstrationSplit)).shuffle(order);
  const heldoutCount = Math.min(order.length - 1, Math.max(1, Math.round(share * order.length)));
  const isHeldout = new Set(order.subarray(0, heldoutCount));
  const rowsWhere = (held: boolean): Int32Array =>
    Int32Array.from([...episodes.keys()].filter((row) => isHeldout.has(episodes[row]!) === held));
  return {
    training: { rows: rowsWhere(false), episodes: order.length - heldoutCount },
    heldout: { rows: rowsWhere(true), episodes: heldoutCount },
  };
}

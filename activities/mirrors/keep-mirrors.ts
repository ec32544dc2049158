import { claimMirrors } from '../../infra/postgres/mirror-rows.ts';
import type { Logger } from '../../infra/log.ts';
import { mirrorExperiment, type Telling } from './mirror-experiment.ts';

const INTERVAL_MS = 2_000;
/** Trackers that are told at once: those that do not answer keep few of the others waiting. */
const LANES = 4;

/**
 * Tells trackers of rounds as they are completed, beside the runs and never in their way: the rows are there, and how far each tracker has
 * come with them is a row as well.
 * @returns ends it: what is under way is broken off, and awaited
 */
export function keepMirrors(telling: Omit<Telling, 'signal'>, log: Logger): () => Promise<void> {
  const end = new AbortController();
  const inHand = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  const tell = async (): Promise<void> => {
    const { database, worker, leaseS } = telling;
    const limit = LANES - inHand.size;
    if (limit === 0) return;
    for (const key of await claimMirrors(database, { worker, leaseS, limit })) {
      const one = mirrorExperiment({ ...telling, signal: end.signal }, key)
        .catch((error: unknown) => {
          if (!end.signal.aborted) log.warn({ err: error, experiment: key.experimentId }, 'could not tell a tracker');
        })
        .finally(() => inHand.delete(one));
      inHand.add(one);
    }
  };
  const look = (): void => {
    looking ??= tell()
      .catch((error: unknown) => log.warn({ err: error }, 'could not ask what trackers are to be told'))
      .finally(() => (looking = null));
  };
  const timer = setInterval(look, INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    end.abort();
    await looking;
    await Promise.all(inHand);
  };
}

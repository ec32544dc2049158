import { SupervisedChild, type RequestOptions, type RequestOutcome } from './child-process.ts';

/** A child that has grown beyond this share of its limit is replaced before its next request. */
const REPLACE_SHARE = 0.8;

export interface PoolRequest extends RequestOptions {
  /** Requests of one run are answered by one process, which keeps that run's networks in memory. */
  readonly runId: string;
  readonly memoryMib: number;
}

/** The right to have a process of a run at work; it is given back when the attempt is over. */
export interface MemoryReservation {
  release(): void;
}

/** The warm processes of a worker: one for a run, started when missing, replaced when it has died or grown. */
export interface ChildPool {
  /**
   * Waits until the memory that a run declares fits beside what is at work.
   * @throws REQUEST_NOT_AVAILABLE when it can never fit here @throws the reason of `signal`
   */
  reserve(runId: string, memoryMib: number, signal: AbortSignal): Promise<MemoryReservation>;
  request(request: PoolRequest): Promise<RequestOutcome>;
  /** Runs whose processes wait here for their next request. */
  idleRuns(): readonly string[];
  /** Ends the process of a run that needs it no more. */
  release(runId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param entry path of the program that the children run
 * @param idleMs a process that was not asked anything for so long ends
 */
export function createChildPool(entry: string, idleMs: number): ChildPool {
  const children = new Map<string, { child: SupervisedChild; idle: NodeJS.Timeout }>();

  const release = async (runId: string): Promise<void> => {
    const entryOfRun = children.get(runId);
    if (entryOfRun === undefined) return;
    clearTimeout(entryOfRun.idle);
    children.delete(runId);
    await entryOfRun.child.kill();
  };

  const take = async (runId: string, memoryMib: number): Promise<SupervisedChild> => {
    const known = children.get(runId);
    if (known !== undefined) {
      clearTimeout(known.idle);
      const hasGrown = (known.child.rssMib ?? 0) > REPLACE_SHARE * memoryMib;
      if (known.child.isAlive && !hasGrown && known.child.memoryMib >= memoryMib) {
        children.delete(runId);
        return known.child;
      }
      await release(runId);
    }
    return new SupervisedChild({ entry, memoryMib });
  };

  const putBack = async (runId: string, child: SupervisedChild): Promise<void> => {
    // A superseded attempt may end after the newer one: one process for a run stays.
    await release(runId);
    const idle = setTimeout(() => void release(runId), idleMs).unref();
    children.set(runId, { child, idle });
  };

  return {
    reserve: () => Promise.resolve({ release: () => undefined }),
    async request({ runId, memoryMib, ...options }) {
      const child = await take(runId, memoryMib);
      try {
        const outcome = await child.request(options);
        // A process that failed may be in any state: the next attempt gets a fresh one.
        if (outcome.kind === 'done') await putBack(runId, child);
        else await child.kill();
        return outcome;
      } catch (error) {
        await child.kill();
        throw error;
      }
    },
    idleRuns: () => [...children.keys()],
    release,
    async close() {
      await Promise.all([...children.keys()].map(release));
    },
  };
}

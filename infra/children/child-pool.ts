import { SupervisedChild, type RequestOptions, type RequestOutcome } from './child-process.ts';
import { childEnvironment } from './child-environment.ts';
import type { ChildGroups } from './child-groups.ts';
import { IdleChildren } from './idle-children.ts';
import { MemoryAdmission, type MemoryRequest, type MemoryReservation } from './memory-admission.ts';
import { memoryBudget, type MemoryBudget } from './memory-budget.ts';

export type { MemoryReservation };

export interface PoolRequest extends RequestOptions {
  /** Requests of one run are answered by one process, which keeps that run's networks in memory. */
  readonly runId: string;
  readonly memoryMib: number;
}

/** The warm processes of a worker: one for a run, started when missing, replaced when it has died or grown. */
export interface ChildPool {
  /**
   * Waits until the memory that a run declares fits beside what is at work.
   * @throws REQUEST_NOT_AVAILABLE when it can never fit here @throws WORLD_CHILD_DIED when the worker stops
   * @throws the reason of the signal
   */
  reserve(request: MemoryRequest): Promise<MemoryReservation>;
  request(request: PoolRequest): Promise<RequestOutcome>;
  /** Runs whose processes wait here for their next request. */
  idleRuns(): readonly string[];
  /** What is at work and at rest here, for metrics. */
  usage(): PoolUsage;
  /** Leaves the process of a run that is over to the next run. */
  handOn(runId: string): Promise<void>;
  /** Ends the process of a run that needs it no more. */
  release(runId: string): Promise<void>;
  /** Sends away who waits for memory; what is at work goes on. */
  drain(): void;
  close(): Promise<void>;
}

export interface PoolUsage {
  readonly workingCount: number;
  /** Those that wait for their next request. */
  readonly restingCount: number;
  readonly memoryReservedMib: number;
  readonly memoryLimitMib: number;
  /** Runs that wait for memory. */
  readonly waitingCount: number;
}

export interface ChildPoolOptions {
  /** Of all children together. */
  readonly budget?: MemoryBudget;
  /** How many processes of runs that are over wait for other runs. */
  readonly unownedMax?: number;
  /** Where the kernel keeps the limits; null for our own watch alone. */
  readonly groups?: ChildGroups | null;
}

/**
 * @param entry path of the program that the children run
 * @param idleMs a process that was not asked anything for so long ends
 */
export function createChildPool(
  entry: string,
  idleMs: number,
  { budget = memoryBudget(null), unownedMax = 0, groups = null }: ChildPoolOptions = {},
): ChildPool {
  const environment = childEnvironment(process.env);
  const idle = new IdleChildren({ idleMs, unownedMax });
  const admission: MemoryAdmission = new MemoryAdmission(budget, (room) =>
    idle.makeRoom(room, (runId) => admission.isAtWork(runId)),
  );
  let workingCount = 0;
  return {
    reserve: (request) => admission.reserve(request),
    async request({ runId, memoryMib, ...request }) {
      const child =
        (await idle.take(runId, memoryMib)) ?? new SupervisedChild({ entry, memoryMib, environment, groups });
      workingCount += 1;
      try {
        const outcome = await child.request(request);
        // A process that failed may be in any state: the next attempt gets a fresh one.
        if (outcome.kind === 'done') await idle.put(runId, child);
        else await child.kill();
        return outcome;
      } catch (error) {
        await child.kill();
        throw error;
      } finally {
        workingCount -= 1;
      }
    },
    usage: () => ({
      workingCount,
      restingCount: idle.count,
      memoryReservedMib: admission.inUseMib,
      memoryLimitMib: budget.limitMib,
      waitingCount: admission.waitingCount,
    }),
    idleRuns: () => idle.runs,
    handOn: (runId) => idle.handOn(runId),
    release: (runId) => idle.endOf(runId),
    drain: () => admission.drain(),
    async close() {
      admission.drain();
      await idle.close();
    },
  };
}

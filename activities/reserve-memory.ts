import type { MemoryReservation } from '../infra/children/child-pool.ts';
import { insertRunEventOnce } from '../infra/postgres/event-rows.ts';
import type { ActivityDependencies } from './dependencies.ts';

/**
 * Waits until the memory that a run declares is free on this worker, and tells the log of the run so.
 * @throws REQUEST_NOT_AVAILABLE when it can never be @throws the reason of the signal
 */
export async function reserveMemory(
  { database, children, worker }: ActivityDependencies,
  { runId, memoryMib, signal }: { runId: string; memoryMib: number; signal: AbortSignal },
): Promise<MemoryReservation> {
  // Only a display: no attempt fails because it could not be written.
  const tell = (kind: string, message: string): Promise<void> =>
    insertRunEventOnce(database, runId, kind, message).catch(() => undefined);
  const reservation = await children.reserve({
    runId,
    memoryMib,
    signal,
    onWait: ({ askedMib, inUseMib, budgetMib }) => {
      const shortage = `${askedMib} MiB asked for, ${inUseMib} of ${budgetMib} MiB in use`;
      void tell('waiting', `for memory on worker ${worker}: ${shortage}`);
    },
  });
  if (reservation.memoryMib < memoryMib) {
    const limit = `worker ${worker} has ${reservation.memoryMib} MiB for training, which is the limit there`;
    await tell('limited', `execution.memory_mib is ${memoryMib}, but ${limit}; it runs there alone`);
  }
  return reservation;
}

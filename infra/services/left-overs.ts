import { isLeftOver, stopProcess } from './service-process.ts';
import type { SupervisorRecordFile } from './supervisor-record.ts';

const GRACE_MS = 10_000;

/** Ends what is left of recorded processes, of all or of those named. The caller owns the home. */
export async function endLeftOvers(record: SupervisorRecordFile, names?: string[]): Promise<void> {
  for (const [name, left] of Object.entries(record.current.processes)) {
    if (names !== undefined && !names.includes(name)) continue;
    // SIGINT: the fast shutdown of Postgres, and an orderly end for the others too.
    if (isLeftOver(left)) await stopProcess(left, { signal: 'SIGINT', graceMs: GRACE_MS });
    record.removeProcess(name);
  }
}

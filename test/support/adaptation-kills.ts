import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AttemptRecord, listAttempts } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';

// Ways to be sure where in a decision a kill falls: locks of the database hold an attempt at a statement of its own.

const POLL_MS = 5;
const PATIENCE_MS = 240_000;
/** Of processor time, in hundredths of a second: a process that was asked nothing spends less. */
const BUSY_TICKS = 2;
/** Two numbers that name the lock of the gate. */
const GATE = [706, 1];

/**
 * Does the work while no transaction can commit the pool that a run's decision at a round gave.
 * @param work is told how to wait until the decision stands at the gate: everything is computed, some rows are written
 */
export async function withClosedGate(
  database: Database,
  { runId, round }: { runId: string; round: number },
  work: (reached: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await database.query(
    `create function stand_at_gate() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock(${GATE.join(', ')}); return new; end $$`,
  );
  await database.query(
    `create trigger gate before insert on pools for each row
       when (new.run_id = '${runId}' and new.round = ${round}) execute function stand_at_gate()`,
  );
  await database.transaction(async (gate) => {
    await gate.query('select pg_advisory_xact_lock($1, $2)', GATE);
    await work(() => until('a decision at the gate', () => isAwaited(database)));
  });
}

async function isAwaited(database: Database): Promise<boolean> {
  const { rows } = await database.query(
    `select 1 from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and not granted`,
    GATE,
  );
  return rows.length > 0;
}

/** Kills the process of one of the runs while it mines for a decision, as often as it takes to have an attempt lost by it. */
export async function killWhileMining(database: Database, runIds: readonly string[]): Promise<void> {
  for (;;) {
    const { runId, processId, number } = await decisionBeforeMining(database, runIds);
    const attempt = async (): Promise<AttemptRecord> => (await listAttempts(database, runId))[number - 1]!;
    const before = processorTicks(processId);
    await until('a process that mines', async () => {
      return processorTicks(processId) >= before + BUSY_TICKS || (await attempt()).endedAt !== null;
    });
    endAtOnce(processId);
    await until('the end of the attempt', async () => (await attempt()).endedAt !== null);
    if ((await attempt()).outcome === 'lost') return;
  }
}

interface OpenDecision {
  readonly runId: string;
  /** Of the attempt. */
  readonly number: number;
  /** The process that answers the run's requests, idle until it is asked to mine. */
  readonly processId: number;
}

/** Waits for a decision that is about to mine, and holds it there until its process is known. */
function decisionBeforeMining(database: Database, runIds: readonly string[]): Promise<OpenDecision> {
  return database.transaction(async (client) => {
    // Earlier minings are read before there is another.
    await client.query('lock table mined_simulators in access exclusive mode');
    let found: OpenDecision | undefined;
    await until('a decision that mines', async () => {
      const { rows } = await database.query(
        `select a.run_id, a.number, before.process_id from attempts a
           join attempts before on before.run_id = a.run_id and before.number = a.number - 1
          where a.run_id = any($1) and a.kind = 'adapt_pool' and a.ended_at is null and before.outcome = 'done'`,
        [runIds],
      );
      const [row] = rows;
      if (row === undefined) return false;
      found = {
        runId: row['run_id'] as string,
        number: row['number'] as number,
        processId: row['process_id'] as number,
      };
      return true;
    });
    return found!;
  });
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was done with its run before we looked: there is another decision.
  }
}

/** User and system time of a process so far, in hundredths of a second; infinite when there is none. */
function processorTicks(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in the second field may hold spaces and brackets; what follows its last bracket begins with field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return Infinity;
  }
}

/** Waits for something that must become so. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(POLL_MS);
  }
}

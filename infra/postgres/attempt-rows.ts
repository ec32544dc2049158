import { ThawError } from '../../schemas/errors.ts';
import type { AttemptKind, FailureClass } from '../../schemas/records.ts';
import type { Database, Queryable, Row } from './database.ts';
import { insertRunEvent } from './event-rows.ts';

/** The authority to write rows of a run: the number of its newest attempt. */
export interface AttemptToken {
  readonly runId: string;
  readonly number: number;
}

export interface NewAttempt {
  readonly runId: string;
  readonly kind: AttemptKind;
  readonly round: number;
  readonly worker: string;
  readonly fingerprint: Readonly<Record<string, string>>;
  /** Absent where nobody knows. */
  readonly settings?: AttemptSettings;
}

/** How an attempt is carried out; no result depends on it. */
export interface AttemptSettings {
  readonly memoryLimitMib: number;
  readonly samplerProcesses: number;
  /** Rows of a minibatch that are computed at once. */
  readonly chunkRows: number;
}

/** How an attempt ended. What is not known is null. */
export interface AttemptEnd {
  readonly outcome: 'done' | 'cancelled' | FailureClass;
  readonly message: string | null;
  readonly processId: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly logTail: string | null;
  readonly peakRssMib: number | null;
}

export interface AttemptRecord extends AttemptEnd {
  readonly number: number;
  readonly kind: AttemptKind;
  readonly round: number;
  readonly worker: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Null for attempts of the time before it was written down. */
  readonly settings: AttemptSettings | null;
  /** What the next attempt does otherwise, in words; null for nothing. */
  readonly nextChange: string | null;
}

/** A run that lacked memory goes on in a smaller way. */
export interface Shrink {
  readonly shrinks: number;
  /** e.g. `sampler_processes 4 → 2` */
  readonly change: string;
}

/**
 * Begins an attempt: it alone may write rows of the run from now on. An earlier attempt that never reported its end was
 * lost.
 * @throws WORLD_ATTEMPT_SUPERSEDED when the run is final already
 */
export async function beginAttempt(database: Database, attempt: NewAttempt): Promise<AttemptToken> {
  return database.transaction(async (client) => {
    const { rows } = await client.query(
      `update runs set fence = fence + 1, state = case when state = 'CANCELLING' then state else 'RUNNING' end,
              reason = null, started_at = coalesce(started_at, now()), progress_env_steps = null
        where id = $1 and finished_at is null returning fence`,
      [attempt.runId],
    );
    const [row] = rows;
    if (row === undefined) throw new ThawError('WORLD_ATTEMPT_SUPERSEDED', `The run ${attempt.runId} is final.`);
    await client.query(
      `update attempts set ended_at = now(), outcome = 'lost', message = 'never reported its end'
        where run_id = $1 and ended_at is null`,
      [attempt.runId],
    );
    await tellFingerprintChange(client, attempt);
    await client.query(
      `insert into attempts (run_id, number, kind, round, worker, fingerprint, memory_limit_mib, sampler_processes, chunk_rows)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        attempt.runId,
        row['fence'],
        attempt.kind,
        attempt.round,
        attempt.worker,
        JSON.stringify(attempt.fingerprint),
        attempt.settings?.memoryLimitMib,
        attempt.settings?.samplerProcesses,
        attempt.settings?.chunkRows,
      ],
    );
    return { runId: attempt.runId, number: row['fence'] as number };
  });
}

/** Equal bytes are promised between equal machines only, so going on at another kind of machine is told. */
async function tellFingerprintChange(client: Queryable, { runId, fingerprint }: NewAttempt): Promise<void> {
  const { rows } = await client.query(
    'select fingerprint from attempts where run_id = $1 order by number desc limit 1',
    [runId],
  );
  const before = rows[0]?.['fingerprint'] as NewAttempt['fingerprint'] | undefined;
  if (before === undefined) return;
  const changed = Object.keys(fingerprint).filter((part) => before[part] !== fingerprint[part]);
  if (changed.length === 0) return;
  const changes = changed.map((part) => `${part} from ${before[part]} to ${fingerprint[part]}`);
  await insertRunEvent(client, runId, 'fingerprint_changed', changes.join(', '));
}

/** Records how an attempt ended; the first record stands. */
export async function endAttempt(client: Queryable, token: AttemptToken, end: AttemptEnd): Promise<void> {
  await client.query(
    `update attempts set ended_at = now(), outcome = $3, message = $4, process_id = $5, exit_code = $6, signal = $7,
            log_tail = $8, peak_rss_mib = $9
      where run_id = $1 and number = $2 and ended_at is null`,
    [
      token.runId,
      token.number,
      end.outcome,
      end.message,
      end.processId,
      end.exitCode,
      end.signal,
      end.logTail,
      end.peakRssMib,
    ],
  );
}

/**
 * One transaction of an attempt: it holds the fence, and ends the attempt together with its last rows, so that no kill
 * can fall between the two.
 * @param end null when more is to be committed
 * @throws WORLD_ATTEMPT_SUPERSEDED
 */
export async function commitInAttempt(
  database: Database,
  token: AttemptToken,
  end: AttemptEnd | null,
  work: (client: Queryable) => Promise<void>,
): Promise<void> {
  await database.transaction(async (client) => {
    await requireFence(client, token);
    await work(client);
    if (end !== null) await endAttempt(client, token, end);
  });
}

/** Closes the newest attempt of a run whose worker can no longer do it. */
export async function endLostAttempt(
  client: Queryable,
  lost: { runId: string; outcome: AttemptEnd['outcome']; message: string },
): Promise<void> {
  await client.query(
    `update attempts set ended_at = now(), outcome = $2, message = $3 where run_id = $1 and ended_at is null`,
    [lost.runId, lost.outcome, lost.message],
  );
}

/** Makes a run smaller from its next attempt on, and writes so beside the newest one. */
export async function shrinkRun(client: Queryable, runId: string, { shrinks, change }: Shrink): Promise<void> {
  await client.query('update runs set shrinks = $2 where id = $1', [runId, shrinks]);
  await client.query(
    'update attempts set next_change = $2 where run_id = $1 and number = (select max(number) from attempts where run_id = $1)',
    [runId, change],
  );
}

/**
 * Locks the run for the rest of the transaction and checks that the attempt is still the newest one.
 * @throws WORLD_ATTEMPT_SUPERSEDED
 */
async function requireFence(client: Queryable, { runId, number }: AttemptToken): Promise<void> {
  const { rows } = await client.query('select fence from runs where id = $1 for update', [runId]);
  const fence = rows[0]?.['fence'];
  if (fence !== number) {
    throw new ThawError(
      'WORLD_ATTEMPT_SUPERSEDED',
      `Attempt ${number} of ${runId} was superseded by ${String(fence)}.`,
    );
  }
}

/** Attempts of a run, oldest first. */
export async function listAttempts(database: Database, runId: string): Promise<AttemptRecord[]> {
  const { rows } = await database.query('select * from attempts where run_id = $1 order by number', [runId]);
  return rows.map(attemptFromRow);
}

/** @param row all columns of `attempts` */
export function attemptFromRow(row: Row): AttemptRecord {
  return {
    number: row['number'] as number,
    kind: row['kind'] as AttemptKind,
    round: row['round'] as number,
    worker: row['worker'] as string,
    startedAt: row['started_at'] as Date,
    endedAt: row['ended_at'] as Date | null,
    outcome: row['outcome'] as AttemptEnd['outcome'],
    message: row['message'] as string | null,
    processId: row['process_id'] as number | null,
    exitCode: row['exit_code'] as number | null,
    signal: row['signal'] as string | null,
    logTail: row['log_tail'] as string | null,
    peakRssMib: row['peak_rss_mib'] as number | null,
    settings: settingsFromRow(row),
    nextChange: row['next_change'] as string | null,
  };
}

function settingsFromRow(row: Row): AttemptSettings | null {
  if (row['memory_limit_mib'] === null) return null;
  return {
    memoryLimitMib: row['memory_limit_mib'] as number,
    samplerProcesses: row['sampler_processes'] as number,
    chunkRows: row['chunk_rows'] as number,
  };
}

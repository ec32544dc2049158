import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ThawError } from '../../schemas/errors.ts';
import { maskUrl } from '../mask-secrets.ts';

const INT8_OID = 20;
/** How long a statement is tried again while the server is away; a minute is survived with room to spare. */
export const PATIENCE_MS = 120_000;
/** Of a process. Twenty workers leave half a dozen commands their own on a server of 100 connections, as Postgres has by default. */
export const CONNECTIONS_MAX = 4;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export type Row = Record<string, unknown>;

/** Whatever can run a statement: the pool, or the client of a transaction. */
export interface Queryable {
  query(text: string, values?: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>;
}

/** One pool of connections. Statements and transactions are tried again while the server restarts. */
export interface Database extends Queryable {
  /** Runs the work in one transaction; when the connection breaks, the whole of it again, so it must be idempotent. */
  transaction<Result>(work: (client: Queryable) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * @param connectionsMax upper bound of this process's connections
 * @param patienceMs how long to wait for a server that does not answer before giving up
 */
export function createDatabase(
  url: string,
  { connectionsMax = CONNECTIONS_MAX, patienceMs = PATIENCE_MS }: { connectionsMax?: number; patienceMs?: number } = {},
): Database {
  const types = {
    // Counts of steps and rows stay far below 2^53, where a number is exact.
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8_OID ? Number : (pg.types.getTypeParser(oid, format) as (value: string) => unknown),
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    types: types,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // A connection that breaks while idle is replaced when the next statement needs one.
  pool.on('error', () => undefined);
  const patiently = <Result>(work: () => Promise<Result>): Promise<Result> => retryWhileAway(work, url, patienceMs);
  return {
    query: (text, values) => patiently(() => pool.query<Row>(text, storable(values))),
    transaction: (work) => patiently(() => inTransaction(pool, work)),
    close: () => pool.end(),
  };
}

/**
 * Postgres refuses text with a zero byte, which a training process may well have printed: it is stored as the sign for it, rather
 * than that the row is lost.
 */
function storable(values: readonly unknown[] | undefined): unknown[] | undefined {
  return values?.map(withoutZeros);
}

function withoutZeros(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '␀');
  return Array.isArray(value) ? value.map(withoutZeros) : value;
}

async function inTransaction<Result>(pool: pg.Pool, work: (client: Queryable) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // Without a listener a broken connection would end the process instead of failing the statement.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query('begin');
    const result = await work({ query: (text, values) => client.query<Row>(text, storable(values)) });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => (broken ??= rollbackError));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

async function retryWhileAway<Result>(work: () => Promise<Result>, url: string, patienceMs: number): Promise<Result> {
  let awaySince: number | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isServerAway(error)) throw error;
      awaySince ??= performance.now();
      if (performance.now() - awaySince >= patienceMs) {
        throw new ThawError(
          'WORLD_POSTGRES_UNAVAILABLE',
          `Postgres at ${maskUrl(url)} does not answer: ${String(error)}`,
          {
            cause: error,
          },
        );
      }
      await sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }
}

/** Errors that say nothing about the statement, only that the server or the way to it was gone. */
function isServerAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const classOfCode = code.slice(0, 2);
  if (classOfCode === '08' || ['57P01', '57P02', '57P03', '53300'].includes(code)) return true;
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message);
}

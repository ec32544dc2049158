import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { RunState } from '../../schemas/records.ts';

/** The channel that the triggers of migration 008 tell on. */
const CHANNEL = 'thaw_runs';
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

export interface RunChange {
  readonly experimentId: string;
  readonly runId: string;
  readonly state: RunState;
  readonly roundsCompleted: number;
  readonly envSteps: number;
}

/** What is told: a run that moved on, an experiment whose runs are new or deleted, or that something may have been missed. */
export type Told =
  | { readonly kind: 'run'; readonly change: RunChange }
  | { readonly kind: 'experiment'; readonly experimentId: string }
  | { readonly kind: 'missed' };

/** Tells what changes in a database, to however many listeners over one connection. */
export interface ChangeFeed {
  /** @returns what ends it */
  subscribe(listener: (told: Told) => void): () => void;
  close(): Promise<void>;
}

/**
 * Listens to a database, and connects again when the connection breaks. Listeners hear `missed` whenever it begins to listen:
 * for the first time, too, since a database that is away at the beginning may be read before it is listened to.
 * @param options.onState called when it begins to listen, and when it cannot any more
 */
export function createChangeFeed(
  url: string,
  { onState = () => undefined }: { onState?: (state: 'listening' | 'away', error?: unknown) => void } = {},
): ChangeFeed {
  const listeners = new Set<(told: Told) => void>();
  const tell = (told: Told): void => {
    for (const listener of listeners) listener(told);
  };
  const stop = new AbortController();
  const ended = keepListening({ url, tell, onState, signal: stop.signal });
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      stop.abort();
      await ended;
    },
  };
}

interface Listening {
  readonly url: string;
  readonly tell: (told: Told) => void;
  readonly onState: (state: 'listening' | 'away', error?: unknown) => void;
  readonly signal: AbortSignal;
}

async function keepListening({ url, tell, onState, signal }: Listening): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const error = await listenOnce({
      url,
      tell,
      signal,
      onState: () => {
        pauseMs = FIRST_PAUSE_MS;
        onState('listening');
        tell({ kind: 'missed' });
      },
    });
    if (signal.aborted) return;
    onState('away', error);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** Listens over one connection. @returns why it ended */
async function listenOnce({ url, tell, onState, signal }: Listening): Promise<unknown> {
  const client = new pg.Client({
    connectionString: url,
    // A connection that says nothing for hours may be dropped on the way without a word to either end.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'thaw changes',
  });
  let end: (reason?: unknown) => void = () => undefined;
  const broken = new Promise<unknown>((resolve) => (end = resolve));
  client.on('error', end);
  client.on('end', () => end(new Error('the connection ended')));
  signal.addEventListener('abort', end);
  client.on('notification', ({ payload }) => {
    const told = toldFrom(payload);
    if (told !== null) tell(told);
  });
  try {
    const connected = client.connect().then(() => client.query(`listen ${CHANNEL}`));
    connected.catch(() => undefined);
    if ((await Promise.race([connected.then(() => true), broken.then(() => false)])) && !signal.aborted) {
      onState('listening');
    }
    return await broken;
  } catch (error) {
    return error;
  } finally {
    signal.removeEventListener('abort', end);
    await client.end().catch(() => undefined);
  }
}

/** Null for a text that is none of ours: a channel is open to whoever may write to the database. */
function toldFrom(payload: string | undefined): Told | null {
  try {
    const told = JSON.parse(payload ?? '') as Readonly<Record<string, unknown>>;
    const { experiment_id: experimentId, run_id: runId } = told;
    if (typeof experimentId !== 'string') return null;
    if (typeof runId !== 'string') return { kind: 'experiment', experimentId };
    return {
      kind: 'run',
      change: {
        experimentId,
        runId,
        state: told['state'] as RunState,
        roundsCompleted: Number(told['rounds_completed']),
        envSteps: Number(told['env_steps']),
      },
    };
  } catch {
    return null;
  }
}

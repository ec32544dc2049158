import type { Changes } from '../../contract/server.ts';

/** Whether events arrive. `waiting` before they do for the first time, `lost` after they no longer do. */
export type Connection = 'waiting' | 'open' | 'lost';

type Listener = (changes: Changes) => void;

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let source: EventSource | null = null;
let connection: Connection = 'waiting';
/** Counts how often the connection came back: what happened in between was missed. */
let returns = 0;

/** Calls back with what changed about runs, from the one source of events that the whole page has. */
export function onChanges(listener: Listener): () => void {
  open();
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls back when the connection is lost or comes back. */
export function onConnection(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

export const connectionNow = (): Connection => connection;

/** Grows when everything shown may be out of date. */
export const returnsNow = (): number => returns;

function open(): void {
  if (source !== null) return;
  source = new EventSource('/api/v1/changes');
  source.addEventListener('open', () => {
    if (connection === 'lost') returns += 1;
    become('open');
  });
  source.addEventListener('error', () => {
    become('lost');
    // A browser gives up for good where the answer was no stream, as of a server that is just starting.
    if (source?.readyState === EventSource.CLOSED) reopenLater();
  });
  source.addEventListener('changes', receive);
}

const REOPEN_MS = 3_000;

function reopenLater(): void {
  source = null;
  setTimeout(open, REOPEN_MS);
}

function receive(event: MessageEvent<string>): void {
  const changes = JSON.parse(event.data) as Changes;
  for (const listener of [...listeners]) listener(changes);
}

function become(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const watcher of [...watchers]) watcher();
}

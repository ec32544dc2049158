import { setImmediate as nextTurn } from 'node:timers/promises';
import { isThawError } from '../../schemas/errors.ts';
import type { ChildError, ChildMessage, ChildRequest } from './protocol.ts';

/** Answers one kind of request. `progress` shows how far it has come, and lets the process hear its parent. */
export type RequestHandler = (payload: unknown, progress: (value: number) => Promise<void>) => Promise<unknown>;

/**
 * Makes this process answer the requests of its parent, one after the other. It ends when the parent is gone: nothing
 * that a dead worker started may live on.
 */
export function serveRequests(handlers: Readonly<Record<string, RequestHandler>>): void {
  process.on('disconnect', () => process.exit(0));
  let turn = Promise.resolve();
  process.on('message', (request: ChildRequest) => {
    turn = turn.then(() => answer(handlers, request));
  });
  send({ type: 'ready' });
}

async function answer(handlers: Readonly<Record<string, RequestHandler>>, request: ChildRequest): Promise<void> {
  const { id, kind, payload } = request;
  const progress = async (value: number): Promise<void> => {
    send({ type: 'progress', id, value });
    // The mathematics yields to promises only; without a turn of the event loop the process would never notice that
    // its parent has died.
    await nextTurn();
  };
  try {
    const handler = handlers[kind];
    if (handler === undefined) throw new Error(`no handler for requests of the kind ${kind}`);
    send({ type: 'done', id, result: await handler(payload, progress) });
  } catch (error) {
    send({ type: 'failed', id, error: errorAsData(error) });
  }
}

function errorAsData(error: unknown): ChildError {
  const stack = error instanceof Error ? (error.stack ?? null) : null;
  if (isThawError(error)) return { code: error.code, kind: error.kind, message: error.message, stack };
  return { code: 'DEFECT_INVARIANT', kind: 'defect', message: String(error), stack };
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

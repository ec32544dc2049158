import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerRequest, type RequestHandler } from './answer.ts';
import type { ChildMessage, ChildRequest } from './protocol.ts';

export type { RequestHandler };

/**
 * Makes this process answer the requests of its parent, one after the other. It ends when the parent is gone, and all that it
 * has started: nothing that a dead worker started may live on. It ends hard, because ONNX Runtime aborts noisily when an
 * orderly exit ends one of its threads in the middle of a pass.
 */
export function serveRequests(handlers: Readonly<Record<string, RequestHandler>>): void {
  process.on('disconnect', endGroup);
  let turn = Promise.resolve();
  process.on('message', (request: ChildRequest) => {
    turn = turn.then(() => answer(handlers, request));
  });
  send({ type: 'ready' });
}

/** Its parent makes it the leader of a group of its own; a process that leads none has nobody to take along. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}

async function answer(handlers: Readonly<Record<string, RequestHandler>>, request: ChildRequest): Promise<void> {
  const { id } = request;
  const progress = async (value: number): Promise<void> => {
    send({ type: 'progress', id, value });
    // The mathematics yields to promises only; without a turn of the event loop the process would never notice that
    // its parent has died.
    await nextTurn();
  };
  send(await answerRequest(handlers, request, progress));
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

import { parentPort } from 'node:worker_threads';
import { answerRequest, type RequestHandler } from './answer.ts';
import type { ChildRequest } from './protocol.ts';

const silent = (): Promise<void> => Promise.resolve();

/** Makes this thread answer the requests of the one that started it, one after the other. */
export function serveThread(handlers: Readonly<Record<string, RequestHandler>>): void {
  let turn = Promise.resolve();
  parentPort!.on('message', (request: ChildRequest) => {
    turn = turn.then(async () => parentPort!.postMessage(await answerRequest(handlers, request, silent)));
  });
}

import { errorAsData } from './child-error.ts';
import type { ChildAnswer, ChildRequest } from './protocol.ts';

/** Answers one kind of request. `progress` shows how far it has come, and lets the process hear its parent. */
export type RequestHandler = (payload: unknown, progress: (value: number) => Promise<void>) => Promise<unknown>;

/** Answers a request, with its result or with the error that ended it. */
export async function answerRequest(
  handlers: Readonly<Record<string, RequestHandler>>,
  { id, kind, payload }: ChildRequest,
  progress: (value: number) => Promise<void>,
): Promise<ChildAnswer> {
  try {
    const handler = handlers[kind];
    if (handler === undefined) throw new Error(`no handler for requests of the kind ${kind}`);
    return { type: 'done', id, result: await handler(payload, progress) };
  } catch (error) {
    return { type: 'failed', id, error: errorAsData(error) };
  }
}

import type { z } from 'zod';
import type { errorSchema, Order, Ordered } from '../../contract/server.ts';
import { decode, type Decoded } from './decoded.ts';

const PREFIX = '/api/v1';

/** What the server, or the network, answered instead of what was asked for. */
export class RequestError extends Error {
  readonly status: number;
  readonly remedy: string;

  /** @param status of HTTP; 0 where there was no answer */
  constructor(status: number, message: string, remedy: string) {
    super(message);
    this.status = status;
    this.remedy = remedy;
  }
}

/** Asks for a resource of the contract, such as `/experiments?limit=50`. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<Decoded<T>> {
  return decode((await answer(path, signal === undefined ? {} : { signal })) as T);
}

/** Orders something about an experiment or a run, named by its path such as `/runs/ID`. */
export async function give(path: string, order: Order): Promise<Ordered> {
  return (await answer(`${path}/${order}`, { method: 'POST' })) as Ordered;
}

async function answer(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(`${PREFIX}${path}`, init).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new RequestError(
      0,
      'The server does not answer.',
      'See whether `thaw ui` still runs; this page comes back by itself.',
    );
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const { error } = (body ?? { error: unreadable(response.status) }) as z.infer<typeof errorSchema>;
  throw new RequestError(response.status, error.message, error.remedy);
}

const unreadable = (status: number) => ({
  code: '',
  message: `The server answered with status ${status}.`,
  remedy: 'Look at what `thaw ui` printed.',
});

/** `/path?a=1` of what is given; what is null or empty is left out. */
export function pathWith(path: string, query: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== '');
  return given.length === 0
    ? path
    : `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}`;
}

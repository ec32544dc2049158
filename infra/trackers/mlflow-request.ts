import type { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import { unreachedReason } from '../webhook.ts';

/** A tracking server of MLflow, and how it is spoken to. */
export interface MlflowServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** The header `Authorization`; null where the server asks for none. */
  readonly authorization: string | null;
  /** Longest time of one request. */
  readonly timeoutMs: number;
  /** Ends requests that are under way. */
  readonly signal: AbortSignal;
  /** Called before every request. @throws when there is to be none any more */
  readonly beforeRequest: () => Promise<void>;
}

/** What was asked: with a `body` it is a POST, else a GET. */
interface Asked<Answer> {
  /** Below `/api/2.0/mlflow/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: z.ZodType<Answer>;
}

/** A run's whole answer, with the last value of every metric, has well below a megabyte. */
const ANSWER_BYTES_MAX = 2 ** 23;
/** e.g. RESOURCE_DOES_NOT_EXIST. Of what a server writes besides nothing is shown: it may repeat what it was sent. */
const ERROR_CODE = /^[A-Z_]{1,64}$/;

/**
 * Asks an MLflow server something. An answer that leads elsewhere is not followed: credentials are for this server alone.
 * @returns the answer, or the server's code of an error that `expectedErrors` names
 * @throws WORLD_TRACKER_UNAVAILABLE saying what was wrong with the answer, or that there was none
 * @source https://mlflow.org/docs/latest/rest-api.html
 */
export async function askMlflow<Answer, Code extends string = never>(
  server: MlflowServer,
  { path, query, body, answer }: Asked<Answer>,
  expectedErrors: readonly Code[] = [],
): Promise<Answer | Code> {
  await server.beforeRequest();
  const address = `${server.url}/api/2.0/mlflow/${path}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`;
  const { status, text } = await exchange(server, address, body);
  const value = parsed(text);
  if (status !== 200) {
    const code = errorCodeOf(value);
    const expected = expectedErrors.find((each) => each === code);
    if (expected !== undefined) return expected;
    throw unavailable(`answered ${status}${code === null ? '' : ` ${code}`} to ${path}`);
  }
  const result = answer.safeParse(value);
  if (!result.success) throw unavailable(`answered what is not MLflow's to ${path}`);
  return result.data;
}

async function exchange(
  { authorization, timeoutMs, signal }: MlflowServer,
  address: string,
  body: unknown,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(address, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: {
        'user-agent': 'thaw',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(authorization !== null && { authorization }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await limitedText(response) };
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable(unreachedReason(error, timeoutMs), error);
  }
}

/** What a server says, as far as it is not endless. */
async function limitedText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    // Leaving the loop ends the connection. Half of an answer is none, and said to be so.
    if (bytes > ANSWER_BYTES_MAX) return '';
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function errorCodeOf(value: unknown): string | null {
  const code = (value as { error_code?: unknown } | null)?.error_code;
  return typeof code === 'string' && ERROR_CODE.test(code) ? code : null;
}

export function unavailable(message: string, cause?: unknown): ThawError {
  return new ThawError('WORLD_TRACKER_UNAVAILABLE', message, cause === undefined ? {} : { cause });
}

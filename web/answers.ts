import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isThawError } from '../schemas/errors.ts';
import type { ErrorKind } from '../schemas/error-catalogue.ts';
import { plainJson } from './documents/plain-json.ts';

const STATUS: Readonly<Record<ErrorKind, ContentfulStatusCode>> = { request: 400, world: 503, defect: 500 };

/** What went wrong, as the body of an answer tells it. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

/** A text with the tag of its content: who has it already is told so, and not sent it again. */
export function answerText(c: Context, text: string | Buffer, type: string): Response {
  return answerIfNew(c, createHash('sha1').update(text).digest('base64url'), type, text);
}

/** An answer is JSON, whatever it is of. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Tells whoever has a text already that it is still the same. @param name changes with the text @returns null to others */
export function answerKnown(c: Context, name: string): Response | null {
  if (!isKnown(c.req.header('If-None-Match'), `"${name}"`)) return null;
  tagAnswer(c, name);
  return c.body(null, 304);
}

/** Sends a text, unless whoever asks has it. @param name changes with the text */
export function answerIfNew(c: Context, name: string, type: string, text: string | Buffer): Response {
  const known = answerKnown(c, name);
  if (known !== null) return known;
  tagAnswer(c, name);
  c.header('Content-Type', type);
  c.header('Content-Length', String(Buffer.byteLength(text)));
  return c.body(typeof text === 'string' ? text : new Uint8Array(text));
}

function tagAnswer(c: Context, name: string): void {
  c.header('Cache-Control', 'no-cache');
  c.header('ETag', `"${name}"`);
}

/** A tag that was sent with a compressed body comes back marked as weak. */
function isKnown(known: string | undefined, tag: string): boolean {
  return known?.split(',').some((each) => each.trim().replace(/^W\//, '') === tag) ?? false;
}

export function answerJson(c: Context, value: unknown): Response {
  return answerText(c, plainJson(value), JSON_TYPE);
}

/** Tells a failure with the status that says who must act. */
export function answerError(c: Context, error: unknown): Response {
  if (!isThawError(error)) {
    return answerProblem(c, 500, {
      code: 'DEFECT_INVARIANT',
      message: 'This is a fault of Thaw.',
      remedy: 'Report it with what `thaw ui` wrote on standard error.',
    });
  }
  const { code, kind, message, remedy } = error;
  const status = code === 'REQUEST_UNKNOWN_ID' ? 404 : code === 'REQUEST_CONFLICT' ? 409 : STATUS[kind];
  return answerProblem(c, status, { code, message, remedy });
}

export function answerProblem(c: Context, status: ContentfulStatusCode, problem: Problem): Response {
  c.header('Cache-Control', 'no-store');
  return c.body(plainJson({ error: problem }), status, { 'Content-Type': JSON_TYPE });
}

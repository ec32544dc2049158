import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { answerProblem } from './answers.ts';

/** Who is let in. */
export interface Access {
  /** Names that this machine is called by; its addresses and `localhost` need not be among them. */
  readonly hostNames: readonly string[];
  /** Null where only this machine can reach the server. */
  readonly token: string | null;
}

const COOKIE_AGE_S = 30 * 24 * 3600;

/**
 * Refuses a request for another host than ours. A page of somebody else's can make its own name lead to this machine, and
 * would then read all that is here with the reader's own browser; the name it asks for gives it away.
 */
export function refuseOtherHosts({ hostNames }: Access): MiddlewareHandler {
  const known = new Set(hostNames.map((name) => name.toLowerCase()));
  return async (c, next) => {
    const name = hostNameFrom(c.req.header('Host'));
    if (name !== null && (isIP(name) !== 0 || name === 'localhost' || known.has(name))) return next();
    return answerProblem(c, 403, {
      code: 'REQUEST_NOT_ALLOWED',
      message: `This server is not called "${name ?? ''}".`,
      remedy: 'Open the address that `thaw ui` printed, or start it with --host and the name that is used.',
    });
  };
}

/** The name in a Host header, lower case, an IPv6 address without its brackets; null for no such header. */
export function hostNameFrom(header: string | undefined): string | null {
  const text = `http://${header ?? ''}`;
  if (!URL.canParse(text)) return null;
  return new URL(text).hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Lets in who has the token: in the link that was printed, after it in a cookie, or as `Authorization: Bearer`.
 */
export function requireToken({ token }: Access): MiddlewareHandler {
  if (token === null) return (_c, next) => next();
  const cookie = cookieOf(token);
  return async (c, next) => {
    const given = c.req.query('token');
    if (given !== undefined && isEqual(given, token)) return enter(c, token);
    const bearer = /^Bearer (.+)$/.exec(c.req.header('Authorization') ?? '')?.[1];
    const known = bearer ?? getCookie(c, cookie);
    if (known !== undefined && isEqual(known, token)) return next();
    c.header('WWW-Authenticate', 'Bearer realm="thaw"');
    return answerProblem(c, 401, {
      code: 'REQUEST_NOT_ALLOWED',
      message: 'A token is needed.',
      remedy: 'Open the link that `thaw ui` printed; programs send its token as `Authorization: Bearer TOKEN`.',
    });
  };
}

/**
 * Keeps the token for the browser and takes it out of the address. The page is asked for by a document of ours and not by a
 * redirection: a browser that came here by a link elsewhere would not send the cookie along a redirection.
 */
function enter(c: Context, token: string): Response {
  setCookie(c, cookieOf(token), token, { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: COOKIE_AGE_S });
  const target = new URL(c.req.url);
  target.searchParams.delete('token');
  c.header('Refresh', `0; url=${target.pathname}${target.search}`);
  c.header('Cache-Control', 'no-store');
  return c.html('<!doctype html><title>Thaw</title><p>The page opens.</p>');
}

/** A browser has the same cookies for every port of a host: two servers of one machine must not overwrite each other's. */
function cookieOf(token: string): string {
  return `thaw_token_${createHash('sha256').update(`cookie ${token}`).digest('hex').slice(0, 8)}`;
}

/** Compared by their hashes, which are of one length, in a time that tells nothing of where they differ. */
function isEqual(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

/** Refuses orders that another site's page gives with this reader's browser: a browser says where an order comes from. */
export function refuseOtherOrigins(): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('Origin') ?? '';
    if (URL.canParse(origin) && new URL(origin).host === c.req.header('Host')?.toLowerCase()) return next();
    return answerProblem(c, 403, {
      code: 'REQUEST_NOT_ALLOWED',
      message: 'An order has to come from the page itself.',
      remedy: 'Give it on the page; a program sends the address of the server as `Origin`.',
    });
  };
}

import { createHmac } from 'node:crypto';

/** A notice to somebody who asked to be told. */
export interface Notice {
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** The same at every try: by it the receiver knows a notice that it has got before. */
  readonly key: string;
  /** What it is signed with; null for no signature. */
  readonly secret: string | null;
  readonly signal: AbortSignal;
}

/**
 * What became of it. `refused`: the receiver answered, and would answer the same again. `unreached`: it may answer
 * otherwise later.
 */
export interface NoticeOutcome {
  readonly kind: 'told' | 'refused' | 'unreached';
  /** e.g. `answered 204` */
  readonly text: string;
}

const TIMEOUT_MS = 10_000;
/** Answers after which it is worth while to come again, besides those of 500 and above. */
const LATER = [408, 425, 429];

/** Posts a notice once. An answer that leads elsewhere is not followed: where it leads nobody has allowed. */
export async function postNotice({ url, body, key, secret, signal }: Notice): Promise<NoticeOutcome> {
  try {
    const { status, body: answer } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'thaw',
        'idempotency-key': key,
        ...(secret !== null && { 'x-thaw-signature': signatureOf(body, secret) }),
      },
      body,
    });
    await answer?.cancel();
    const kind = status < 300 ? 'told' : status >= 500 || LATER.includes(status) ? 'unreached' : 'refused';
    return { kind, text: `answered ${status}` };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'unreached', text: unreachedReason(error, TIMEOUT_MS) };
  }
}

/** HMAC-SHA256 of the body, as `sha256=HEX`. */
export function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** What of an address may be told: its path and query may be a secret. */
export function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'the address';
}

/** Why there was no answer, without the address, which some messages hold. @param timeoutMs how long was waited for one */
export function unreachedReason(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1000} s`;
  const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
  return code === undefined ? 'could not be reached' : `could not be reached (${code})`;
}

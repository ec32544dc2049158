import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks at most once in a while; those who ask in between, or while it is being asked, get the same answer.
 * @param patienceMs how long an answer is waited for
 */
export function rememberedFor<Value>(
  keptMs: number,
  patienceMs: number,
  ask: () => Promise<Value>,
): () => Promise<Value> {
  let askedMs = -Infinity;
  let answer: Promise<Value> | null = null;
  return () => {
    if (answer === null || performance.now() - askedMs > keptMs) {
      askedMs = performance.now();
      answer = within(patienceMs, ask());
      // It may fail before anybody waits for it.
      answer.catch(() => undefined);
    }
    return answer;
  };
}

async function within<Value>(patienceMs: number, asked: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const late = delay(patienceMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no answer within ${patienceMs} ms`);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
    asked.catch(() => undefined);
  }
}

// A thread of the tests of supervision: it does to itself what the request says.
import { setTimeout as delay } from 'node:timers/promises';
import { serveThread } from '../../infra/children/thread-host.ts';
import { ThawError } from '../../schemas/errors.ts';

const held: unknown[] = [];

serveThread({
  add: async (payload) => (payload as Float32Array)[0]!++,
  fail: async (payload) => {
    throw new ThawError(payload as 'REQUEST_CONFLICT', 'as the test asked');
  },
  break: async () => {
    setImmediate(() => {
      throw new TypeError('x is not a function');
    });
    await new Promise(() => undefined);
  },
  exit: async (payload) => {
    process.stderr.write('last words of a thread\n');
    process.exit(Number(payload));
  },
  heap: async () => {
    for (;;) held.push(new Array(1_000_000).fill(held.length + 0.5));
  },
  grow: async () => {
    for (;;) {
      held.push(Buffer.alloc(8 * 2 ** 20, 1));
      await delay(20);
    }
  },
  spin: async () => {
    for (;;);
  },
});

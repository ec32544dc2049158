// A child of the tests of supervision: it does to itself what the request says.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { serveRequests } from '../../infra/children/child-host.ts';
import { ThawError } from '../../schemas/errors.ts';

const held: unknown[] = [];
let requestCount = 0;

const pause = (): Promise<void> => delay(20);

/** A process of the child's own, which shares its output and would outlive it. */
async function startGrandchild(): Promise<number> {
  const grandchild = spawn('sleep', ['1000'], { stdio: 'inherit' });
  await once(grandchild, 'spawn');
  return grandchild.pid!;
}

serveRequests({
  echo: async (payload) => ({ payload, processId: process.pid, requestCount: (requestCount += 1) }),
  count: async (payload, progress) => {
    for (let step = 1; step <= Number(payload); step += 1) await progress(step);
    return null;
  },
  work: async (_payload, progress) => {
    for (;;) {
      await progress(process.pid);
      await pause();
    }
  },
  parent: async (_payload, progress) => {
    const grandchild = await startGrandchild();
    for (;;) {
      await progress(grandchild);
      await pause();
    }
  },
  abandon: async (_payload, progress) => {
    await progress(await startGrandchild());
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => undefined);
  },
  print: async (payload) => {
    process.stderr.write(`${String(payload)}\n`);
    return null;
  },
  environment: async () => ({ ...process.env }),
  heap: async (_payload, progress) => {
    for (;;) {
      held.push(new Array(100_000).fill(held.length + 0.5));
      await progress(held.length);
    }
  },
  library: async () => import('onnxruntime-node').then(() => null),
  hold: async (mebibytes) => held.push(Buffer.alloc(Number(mebibytes) * 2 ** 20, 1)),
  fail: async (payload) => {
    throw new ThawError(payload as 'REQUEST_CONFLICT', 'as the test asked');
  },
  break: async () => {
    throw new TypeError('x is not a function');
  },
  exit: async (payload) => {
    process.stderr.write('last words\n');
    process.exit(Number(payload));
  },
  block: async (payload) => {
    for (const end = performance.now() + Number(payload); performance.now() < end;);
    return null;
  },
  silence: () => new Promise(() => undefined),
  grow: async (_payload, progress) => {
    for (;;) {
      held.push(Buffer.alloc(8 * 2 ** 20, 1));
      await progress(held.length);
      await pause();
    }
  },
});

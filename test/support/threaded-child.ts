// A child of the tests of supervision that has a thread, and hands every request on to it.
import { fileURLToPath } from 'node:url';
import { serveRequests, type RequestHandler } from '../../infra/children/child-host.ts';
import { startThread } from '../../infra/children/child-thread.ts';

const thread = startThread(fileURLToPath(new URL('./thread-program.js', import.meta.url)));

const handOn =
  (kind: string): RequestHandler =>
  (payload) =>
    thread.request(kind, payload);

serveRequests({
  ...Object.fromEntries(['fail', 'break', 'exit', 'heap', 'grow', 'missing'].map((kind) => [kind, handOn(kind)])),
  add: async () => {
    const shared = new Float32Array(new SharedArrayBuffer(4));
    const copied = new Float32Array(1);
    await Promise.all([thread.request('add', shared), thread.request('add', copied), thread.request('add', shared)]);
    return [shared[0], copied[0]];
  },
  again: async () => {
    await thread.request('exit', 3).catch(() => undefined);
    return thread.request('add', new Float32Array(1));
  },
  work: async (_payload, progress) => {
    void thread.request('spin', null);
    for (;;) await progress(process.pid);
  },
});

// A stand-in for a worker in the tests of supervision: it owns a child, says which, and waits to be killed.
import { createChildPool } from '../../infra/children/child-pool.ts';

const children = createChildPool(process.argv[2]!, 60_000);
await children.request({
  runId: 'run',
  memoryMib: 512,
  kind: 'work',
  payload: null,
  stallMs: 60_000,
  lessMemory: '',
  signal: new AbortController().signal,
  onProgress: (processId) => process.stdout.write(`${processId}\n`),
});

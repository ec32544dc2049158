import { describe, expect, it } from 'vitest';
import { ThawError } from '../../schemas/errors.ts';
import { classOfError, classOfExit, describeExit, type ChildExit } from './exit-class.ts';

const EXIT: ChildExit = {
  exitCode: null,
  signal: null,
  killedFor: null,
  kernelKilledFor: null,
  logTail: '',
  memoryMib: 256,
  peakRssMib: 338.4,
  lessMemory: 'take smaller steps',
};

describe('[P25] the class of an unexpected end', () => {
  it.each<[string, Partial<ChildExit>, string]>([
    ['our memory watchdog', { signal: 'SIGKILL', killedFor: 'memory' }, 'out_of_memory'],
    ['our stall watchdog', { signal: 'SIGKILL', killedFor: 'stall' }, 'stalled'],
    [
      'a full heap of V8',
      { signal: 'SIGABRT', logTail: 'FATAL ERROR: JavaScript heap out of memory' },
      'out_of_memory',
    ],
    [
      'a heap that the kernel does not let grow',
      { signal: 'SIGTRAP', logTail: '# Fatal javascript OOM in Committing semi space failed.' },
      'out_of_memory',
    ],
    [
      'a library that finds no room',
      { exitCode: 1, logTail: 'Error: binding.node: failed to map segment from shared object' },
      'out_of_memory',
    ],
    ['the same through a shell', { exitCode: 134, logTail: 'invalid size, heap out of memory' }, 'out_of_memory'],
    ['the kernel, which counts', { signal: 'SIGKILL', kernelKilledFor: 'machine' }, 'out_of_memory'],
    ['the kernel, at the limit of its own group', { signal: 'SIGKILL', kernelKilledFor: 'limit' }, 'out_of_memory'],
    ['a refused allocation in native code', { signal: 'SIGABRT', logTail: 'what():  std::bad_alloc' }, 'out_of_memory'],
    ['a refused system call', { exitCode: 1, logTail: 'Error: spawn ENOMEM' }, 'out_of_memory'],
    ['137 with a count', { exitCode: 137, kernelKilledFor: 'machine' }, 'out_of_memory'],
    ['a SIGKILL nobody counted', { signal: 'SIGKILL' }, 'lost'],
    ['137 without a count', { exitCode: 137 }, 'lost'],
    ['a machine that shuts down', { signal: 'SIGTERM' }, 'lost'],
    ['a true exit 1', { exitCode: 1, logTail: 'TypeError: x is not a function' }, 'error'],
    ['[P24] an end without any result', { exitCode: 0 }, 'error'],
    ['a crash in native code', { signal: 'SIGSEGV' }, 'error'],
  ])('%s', (_name, exit, expected) => {
    expect(classOfExit({ ...EXIT, ...exit })).toBe(expected);
  });
});

describe('the class of an error that a child tells of', () => {
  it.each([
    ['request', 'partners do not fit', 'request'],
    ['world', 'the disk is full', 'lost'],
    ['defect', 'TypeError: x is not a function', 'error'],
    ['defect', 'RangeError: Array buffer allocation failed', 'out_of_memory'],
    ['defect', 'Error [ERR_WORKER_OUT_OF_MEMORY]: Worker terminated', 'out_of_memory'],
    ['defect', 'Error: ORT: std::bad_alloc', 'out_of_memory'],
    ['defect', 'Error: Failed to allocate memory for requested buffer of size 4096', 'out_of_memory'],
    ['defect', 'Error: read ENOMEM', 'out_of_memory'],
    ['defect', 'Error: Worker terminated due to reaching memory limit: JS heap out of memory', 'out_of_memory'],
  ] as const)('%s: %s', (kind, message, expected) => {
    expect(classOfError({ code: 'DEFECT_INVARIANT', kind, message })).toBe(expected);
  });

  it.each([
    ['WORLD_ENVIRONMENT_FAILED', 'error'],
    ['WORLD_ENVIRONMENT_STALLED', 'stalled'],
    ['WORLD_ENVIRONMENT_LOST', 'lost'],
  ] as const)('%s is %s', (code, expected) => {
    const { kind, message } = new ThawError(code);
    expect(classOfError({ code, kind, message })).toBe(expected);
  });
});

describe('a lack of memory', () => {
  it('[P32] tells what was used, the limit, and what to change', () => {
    const text = describeExit({ ...EXIT, signal: 'SIGKILL', killedFor: 'memory' });
    expect(text).toBe('used 339 MiB, execution.memory_mib is 256: raise it, or take smaller steps');
  });

  it('of the machine, below the limit of the process, does not ask to raise that limit', () => {
    const text = describeExit({ ...EXIT, signal: 'SIGKILL', kernelKilledFor: 'machine', peakRssMib: 100 });
    expect(text).toContain('used 100 MiB when the machine had no memory left');
    expect(text).toContain('execution.max_concurrent_runs');
    expect(text).toContain('or take smaller steps');
    expect(text).not.toContain('raise');
  });

  it('at the limit of its own control group asks to raise it', () => {
    const text = describeExit({ ...EXIT, signal: 'SIGKILL', kernelKilledFor: 'limit', peakRssMib: 255 });
    expect(text).toContain('used 255 MiB, execution.memory_mib is 256: raise it');
  });

  it('of a heap whose peak is unknown still names the limit', () => {
    const text = describeExit({ ...EXIT, exitCode: 134, logTail: 'heap out of memory', peakRssMib: null });
    expect(text).toContain('ran out of memory, execution.memory_mib is 256: raise it');
  });
});

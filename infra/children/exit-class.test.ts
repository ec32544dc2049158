import { describe, expect, it } from 'vitest';
import { classOfExit, type ChildExit } from './exit-class.ts';

const EXIT: ChildExit = { exitCode: null, signal: null, killedFor: null, kernelKilledForMemory: false, logTail: '' };

describe('the class of an unexpected end', () => {
  it.each<[string, Partial<ChildExit>, string]>([
    ['our memory watchdog', { signal: 'SIGKILL', killedFor: 'memory' }, 'out_of_memory'],
    ['our stall watchdog', { signal: 'SIGKILL', killedFor: 'stall' }, 'stalled'],
    [
      'a full heap of V8',
      { signal: 'SIGABRT', logTail: 'FATAL ERROR: JavaScript heap out of memory' },
      'out_of_memory',
    ],
    ['the same through a shell', { exitCode: 134, logTail: 'invalid size, heap out of memory' }, 'out_of_memory'],
    ['the kernel, which counts', { signal: 'SIGKILL', kernelKilledForMemory: true }, 'out_of_memory'],
    ['137 with a count', { exitCode: 137, kernelKilledForMemory: true }, 'out_of_memory'],
    ['a SIGKILL nobody counted', { signal: 'SIGKILL' }, 'lost'],
    ['137 without a count', { exitCode: 137 }, 'lost'],
    ['a machine that shuts down', { signal: 'SIGTERM' }, 'lost'],
    ['a true exit 1', { exitCode: 1, logTail: 'TypeError: x is not a function' }, 'error'],
    ['an end without any result', { exitCode: 0 }, 'error'],
    ['a crash in native code', { signal: 'SIGSEGV' }, 'error'],
  ])('%s', (_name, exit, expected) => {
    expect(classOfExit({ ...EXIT, ...exit })).toBe(expected);
  });
});

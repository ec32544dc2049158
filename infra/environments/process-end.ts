import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { ThawError } from '../../schemas/errors.ts';

/** How a process ended: by itself, with a code, or by a signal. */
type ProcessEnd = { readonly code: number } | { readonly signal: number };

const POLL_MS = 5;
/** From its last word to its end; what holds a process longer is in the kernel. */
const END_MS = 5_000;
/** Bits of the status of a process that has ended (wait(2)). */
const SIGNAL_BITS = 0x7f;
const CODE_SHIFT = 8;
/** Sent by somebody, and not the fault of what was computed. */
const FROM_OUTSIDE = [
  constants.signals.SIGKILL,
  constants.signals.SIGTERM,
  constants.signals.SIGHUP,
  constants.signals.SIGINT,
];

/**
 * The error for an environment's process that answers no more, with its last words. The thread waits for its end
 * without a turn of the event loop, so Node may not know of it: then the kernel is asked.
 */
export function errorOfEnd(child: ChildProcess, lastWords: string): ThawError {
  const end = endOf(child);
  const words = lastWords === '' ? '; it said nothing' : `; its last words:\n${lastWords}`;
  if (end === null) return new ThawError('WORLD_ENVIRONMENT_LOST', `the Python process closed its pipe${words}`);
  if ('code' in end) {
    return new ThawError('WORLD_ENVIRONMENT_FAILED', `the Python process ended with exit code ${end.code}${words}`);
  }
  if (end.signal === constants.signals.SIGALRM) {
    return new ThawError('WORLD_ENVIRONMENT_STALLED', `an environment took too long for one step or reset${words}`);
  }
  const name = signalName(end.signal);
  const message = `the Python process was ended by ${name}${words}`;
  if (!FROM_OUTSIDE.some((signal) => signal === end.signal)) return new ThawError('WORLD_ENVIRONMENT_FAILED', message);
  // Whether the kernel did it, for lack of memory, is known to whoever watches over this process.
  const program = { processId: child.pid ?? null, exitCode: null, signal: name };
  return new ThawError('WORLD_ENVIRONMENT_LOST', message, { details: { program } });
}

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
}

function endOf(child: ChildProcess): ProcessEnd | null {
  const deadline = performance.now() + END_MS;
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    if (child.exitCode !== null) return { code: child.exitCode };
    if (child.signalCode !== null) return { signal: constants.signals[child.signalCode] };
    const status = statusOfZombie(child.pid!);
    if (status !== null) {
      const signal = status & SIGNAL_BITS;
      return signal === 0 ? { code: status >> CODE_SHIFT } : { signal };
    }
    if (performance.now() > deadline) return null;
    Atomics.wait(sleeping, 0, 0, POLL_MS);
  }
}

/** The last field of /proc/PID/stat (proc(5)) of a process that has ended and whose parent has not heard of it. */
function statusOfZombie(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.trim().split(' ');
    return fields[0] === 'Z' ? Number(fields.at(-1)) : null;
  } catch {
    return null;
  }
}

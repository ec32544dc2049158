import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ThawError } from '../../schemas/errors.ts';
import { memoryMib, processorS } from './process-table.ts';

const run = promisify(execFile);
const BYTES_PER_MIB = 2 ** 20;
/** A process that has computed for so long has loaded its libraries: before that, they are what finds no room. */
const STARTED_S = 2;

/**
 * From now on the kernel refuses a process every further page of private memory, as a machine does that has none left: its
 * limit is half of what it has. What it has it keeps, so it may go on for long with that. Only Linux can do this to another
 * process.
 * @returns whether it was at work
 */
export async function starve(pid: number): Promise<boolean> {
  if (processorS(pid).own < STARTED_S) return false;
  const limit = Math.round((memoryMib(pid, 'VmData') / 2) * BYTES_PER_MIB);
  try {
    await run('prlimit', ['--pid', String(pid), `--data=${limit}`]);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    throw new ThawError('REQUEST_BAD_ARGUMENT', 'Memory cannot be taken from a process here: prlimit is missing.', {
      remedy: 'Install util-linux, or leave --memory out.',
    });
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { ThawError } from '../../schemas/errors.ts';
import { type ProgramEnd, ProgramFailure } from '../children/program-failure.ts';

/** The descriptor at which the program finds the world of Thaw. */
export const WORLD_DESCRIPTOR = 3;

export interface TrainerProgram {
  readonly command: readonly string[];
  readonly folder: string;
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A program of the user at work. It is of the process group of this process, and is killed with it; what it prints goes where
 * ours goes, and becomes the last words of a failure. Its standard input ends when we do.
 */
export class TrainerProcess {
  /** What it asks of the world, and is answered. */
  readonly world: Duplex;
  private readonly child: ChildProcess;
  private readonly ended: Promise<ProgramEnd>;

  private constructor(child: ChildProcess) {
    this.child = child;
    this.world = child.stdio[WORLD_DESCRIPTOR] as Duplex;
    // Whoever does not read its answers has ended; that is told by its end.
    this.world.on('error', () => undefined);
    child.stdin!.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ processId: child.pid ?? null, exitCode, signal }));
    });
    // A signal that could not be sent; whether it has ended is told by its end.
    child.on('error', () => undefined);
  }

  /** @throws REQUEST_BAD_ARGUMENT when there is no such program here */
  static async start({ command, folder, environment }: TrainerProgram): Promise<TrainerProcess> {
    const [program, ...args] = command as [string, ...string[]];
    const child = spawn(program, args, {
      cwd: folder,
      env: environment,
      stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
    });
    const failed = once(child, 'error').then(([error]) => error as Error);
    const error = await Promise.race([failed, once(child, 'spawn').then(() => null)]);
    if (error === null) return new TrainerProcess(child);
    throw new ThawError(
      'REQUEST_BAD_ARGUMENT',
      `the trainer ${JSON.stringify(program)} cannot be started: ${error.message}`,
      {
        remedy:
          'Name a program that is on the PATH of the worker, or its absolute path; a script of yours needs its interpreter before it.',
      },
    );
  }

  /** Whether it has ended by now. */
  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** @throws ProgramFailure unless it ends with exit code 0 */
  async succeeded(): Promise<void> {
    const end = await this.ended;
    if (end.exitCode === 0) return;
    const how = end.signal === null ? `exit code ${end.exitCode}` : `signal ${end.signal}`;
    throw new ProgramFailure(`the trainer ended with ${how}`, end);
  }

  /** It has done as it should but for its result. */
  failure(message: string): ProgramFailure {
    const { pid = null, exitCode, signalCode } = this.child;
    return new ProgramFailure(message, { processId: pid, exitCode, signal: signalCode });
  }

  /** Ends it, if it still runs. */
  async kill(): Promise<void> {
    if (!this.isOver) this.child.kill('SIGKILL');
    await this.ended;
  }
}

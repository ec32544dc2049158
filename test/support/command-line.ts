import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { installationRoot } from '../../infra/installation.ts';

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program as a shell would, with nothing of our own environment but PATH, HOME and TMPDIR. */
export async function thaw(args: readonly string[], env: Record<string, string> = {}): Promise<CommandOutcome> {
  const child = spawnProgram(args, env);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode: exitCode as number | null, stdout, stderr };
}

/** A program that goes on until it is told to stop. */
export interface StartedProgram {
  /** The first that it printed. */
  readonly line: string;
  /** @returns its exit code */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built program in the same way. @throws with what it wrote when it ends without a line */
export async function startProgram(args: readonly string[], env: Record<string, string> = {}): Promise<StartedProgram> {
  const child = spawnProgram(args, env);
  const closed = once(child, 'close');
  const stderr = text(child.stderr);
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      line,
      async end(signal) {
        child.kill(signal);
        child.stdout.resume();
        return ((await closed) as [number | null])[0];
      },
    };
  }
  throw new Error(`thaw ${args.join(' ')} printed nothing: ${await stderr}`);
}

function spawnProgram(
  args: readonly string[],
  env: Record<string, string>,
): ChildProcessByStdio<null, Readable, Readable> {
  const main = path.join(installationRoot(), 'dist/cli/main.js');
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
  return spawn(process.execPath, [main, ...args], {
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

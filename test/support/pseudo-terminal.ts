import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { installationRoot } from '../../infra/installation.ts';

const MAIN = path.join(installationRoot(), 'dist/cli/main.js');

/** The built program on a terminal, as a person has it. */
export interface TerminalProgram {
  /** Waits until the program has written a text since the last call. @throws with all of it when it ended before */
  until(text: string): Promise<void>;
  /** All that was written up to now. */
  readonly output: () => string;
  resize(size: { columns: number; rows: number }): void;
  /** As typed. */
  type(keys: string): void;
  readonly exitCode: Promise<number | null>;
}

/** Starts the program on a terminal of 100 columns, which `script` of util-linux makes. */
export async function startOnTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<TerminalProgram> {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
  const command = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `tty; stty columns 100 rows 30; exec ${command}`, '/dev/null'], {
    env: { PATH, HOME, TMPDIR, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  let seen = 0;
  let wake: () => void = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    wake();
  });
  const exitCode = once(child, 'close').then(([code]) => {
    wake();
    return code as number | null;
  });
  const until = async (text: string): Promise<void> => {
    for (;;) {
      const at = output.indexOf(text, seen);
      if (at >= 0) {
        seen = at + text.length;
        return;
      }
      if (child.exitCode !== null) throw new Error(`"${text}" was not written: ${output}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  await until('\n');
  const terminal = /\/dev\/\S+/.exec(output)![0];
  return {
    until,
    output: () => output,
    // The kernel tells the program, as it does when a window changes.
    resize: ({ columns, rows }) =>
      void execFileSync('stty', ['-F', terminal, 'columns', `${columns}`, 'rows', `${rows}`]),
    type: (keys) => void child.stdin.write(keys),
    exitCode,
  };
}

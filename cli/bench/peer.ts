import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { readConfiguration, type Configuration } from '../../infra/configuration.ts';
import { installationRoot } from '../../infra/installation.ts';
import { note } from '../terminal/terminal.ts';

const run = promisify(execFile);
const PEER_TIMEOUT_MS = 1_800_000;

/** Variables of the environment that name Python interpreters. */
const INTERPRETERS = {
  python: 'THAW_PYTHON',
  jaxPeerPython: 'THAW_PEER_JAX_PYTHON',
  torchPeerPython: 'THAW_PEER_TORCH_PYTHON',
} as const satisfies Partial<Record<keyof Configuration, string>>;

/** A script of `test/peers`, with what Python needs for it. */
export interface Peer {
  readonly script: string;
  /** File of `test/peers` with the versions that it was written for. */
  readonly requirements: string;
  /** Which of the interpreters has them. */
  readonly interpreter: keyof typeof INTERPRETERS;
  readonly args: readonly string[];
  /** Variables of its environment beside ours. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a peer's script, which prints JSON as its last line; null, with a word on why, where it cannot be run. */
export async function findPeer<Figures>(
  { script, requirements, interpreter, args, environment }: Peer,
  more: readonly string[],
  schema: z.ZodType<Figures>,
): Promise<Figures | null> {
  const python = readConfiguration(process.env)[interpreter];
  const folder = path.join(installationRoot(), 'test/peers');
  try {
    const { stdout } = await run(python, [path.join(folder, script), ...args, ...more], {
      timeout: PEER_TIMEOUT_MS,
      env: { ...process.env, ...environment, PYTHONDONTWRITEBYTECODE: '1' },
    });
    return schema.parse(JSON.parse(stdout.trim().split('\n').at(-1)!));
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    const install = `${python} -m pip install -r ${path.join('test/peers', requirements)}`;
    note(
      `no figures of ${script}: ${reason}; \`${install}\` installs what it needs (${INTERPRETERS[interpreter]} names the Python)`,
    );
    return null;
  }
}

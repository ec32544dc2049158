import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readConfiguration } from '../../infra/configuration.ts';
import { installationRoot } from '../../infra/installation.ts';
import { note } from '../terminal.ts';

const run = promisify(execFile);
const PEER_TIMEOUT_MS = 120_000;

const peerSchema = z.object({ name: z.string(), version: z.string(), env_steps_per_s: z.array(z.number()).min(1) });
export type PeerFigures = z.infer<typeof peerSchema>;

/** A script of `cli/bench/peers`, what Python needs for it, and its first arguments. */
export interface Peer {
  readonly script: string;
  readonly packages: readonly string[];
  readonly args: readonly string[];
}

/** Runs a peer's script with the Python of THAW_PYTHON; null, with a word on why, where its packages are missing. */
export async function findPeer({ script, packages, args }: Peer, more: readonly string[]): Promise<PeerFigures | null> {
  const { python } = readConfiguration(process.env);
  const file = path.join(installationRoot(), 'cli/bench/peers', script);
  try {
    const { stdout } = await run(python, [file, ...args, ...more], { timeout: PEER_TIMEOUT_MS });
    return peerSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1)!));
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    const install = `${python} -m pip install ${packages.join(' ')}`;
    note(`no figures of ${packages.join(', ')}: ${reason}; \`${install}\` installs it`);
    return null;
  }
}

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readConfiguration } from '../../infra/configuration.ts';
import { installationRoot } from '../../infra/installation.ts';
import { noteOnTerminal } from '../terminal.ts';

const run = promisify(execFile);
const PEER_TIMEOUT_MS = 120_000;

const peerSchema = z.object({ name: z.string(), version: z.string(), env_steps_per_s: z.array(z.number()).min(1) });
export type PeerFigures = z.infer<typeof peerSchema>;

/** Runs a peer's script with the Python of THAW_PYTHON; null, with a word on why, where its packages are missing. */
export async function findPeer(
  script: string,
  packages: readonly string[],
  args: readonly string[],
): Promise<PeerFigures | null> {
  const { python } = readConfiguration(process.env);
  const file = path.join(installationRoot(), 'cli/bench/peers', script);
  try {
    const { stdout } = await run(python, [file, ...args], { timeout: PEER_TIMEOUT_MS });
    return peerSchema.parse(JSON.parse(stdout));
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    noteOnTerminal(
      `no figures of ${packages.join(', ')}: ${reason}; \`${python} -m pip install ${packages.join(' ')}\` installs it`,
    );
    return null;
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import type { Configuration } from '../../infra/configuration.ts';
import { findExperiment, type ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { atOneMoment } from '../../infra/postgres/snapshot.ts';
import { ThawError } from '../../schemas/errors.ts';
import { EXPORTED_TABLES } from '../export/exported-tables.ts';
import type { WrittenFile } from '../export/export-format.ts';
import { writeTables } from '../export/write-tables.ts';
import { programFile } from '../program-version.ts';
import type { ServiceSession } from '../services/service-session.ts';
import { memoryMib } from './process-table.ts';

const LOOK_MS = 50;
const MIB = 2 ** 20;

/** What an export took. */
export interface ExportFigures {
  readonly rows: number;
  readonly mib: number;
  readonly s: number;
}

/** Every episode of some experiments as one Parquet file. */
export async function exportEpisodes(session: ServiceSession, ids: readonly string[]): Promise<ExportFigures> {
  return inFolder(async (folder) => {
    const experiments: ExperimentRecord[] = [];
    for (const id of ids) experiments.push(await findExperiment(session.database, id));
    const startedAt = performance.now();
    const files = await atOneMoment(session.database, (snapshot) =>
      writeTables(
        {
          ...{ snapshot, experiments, folder, onProgress: () => undefined, onNote: () => undefined },
          artifacts: createFolderStore(session.configuration.artifacts),
        },
        ['parquet'],
        EXPORTED_TABLES.filter(({ name }) => name === 'episodes'),
      ),
    );
    return figuresOf(files, performance.now() - startedAt);
  });
}

/** All tables of some experiments by `thaw export`, as a user would, and the most memory that it ever took. */
export async function exportEverything(
  { configuration }: ServiceSession,
  ids: readonly string[],
): Promise<ExportFigures & { readonly peakRssMib: number }> {
  return inFolder(async (folder) => {
    const startedAt = performance.now();
    const args = ['export', ...ids, '--format', 'parquet', '-o', 'json', folder];
    const child = spawn(process.execPath, [programFile(), ...args], {
      env: environmentOf(configuration),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let peakRssMib = 0;
    // The kernel keeps the highest value, so that the last look before the end is all but the peak.
    const looking = setInterval(() => {
      peakRssMib = Math.max(peakRssMib, memoryMib(child.pid!, 'VmHWM'));
    }, LOOK_MS);
    try {
      const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
      const { exitCode: code } = child;
      if (code !== 0) throw new ThawError('DEFECT_INVARIANT', `thaw export ended with ${String(code)}`);
      const { files } = JSON.parse(printed) as { files: readonly WrittenFile[] };
      return { ...figuresOf(files, performance.now() - startedAt), peakRssMib };
    } finally {
      clearInterval(looking);
    }
  });
}

function environmentOf({ home, artifacts }: Configuration): NodeJS.ProcessEnv {
  return {
    ...process.env,
    THAW_HOME: home,
    THAW_ARTIFACTS: artifacts,
    THAW_DATABASE_URL: '',
    THAW_TEMPORAL_ADDRESS: '',
  };
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'thaw-export-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function figuresOf(files: readonly WrittenFile[], ms: number): ExportFigures {
  return {
    rows: files.reduce((sum, { rows }) => sum + (rows ?? 0), 0),
    mib: files.reduce((sum, { bytes }) => sum + bytes, 0) / MIB,
    s: ms / 1000,
  };
}

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SHARED_FOLDER } from '../../infra/services/postgres-data.ts';

const POLL_MS = 50;
/** What has been told to end may need a moment, on a busy machine a long one. */
const PATIENCE_MS = 10_000;

/**
 * What still exists of what was made below a folder for temporary files: its processes, its files, and databases that lie
 * elsewhere and belong to a home in it. Nothing, once all that ends has ended.
 *
 * Processes are looked for on Linux only, where all that is known of a process can be read.
 */
export async function findOrphans(folder: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const orphans = [...processesOf(folder), ...filesIn(folder), ...databasesOf(folder)];
    if (orphans.length === 0 || performance.now() > deadline) return orphans;
    await delay(POLL_MS);
  }
}

/**
 * Processes that descend from us, or know of the folder: by their environment, which is inherited, their arguments, or the folder
 * they work in. So one without a parent is found too, and one with an environment of its own.
 */
function processesOf(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  const processes = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => readProcess(Number(entry)) ?? []);
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  return processes
    .filter(({ pid, traces }) => traces.some((trace) => trace.includes(folder)) || descendsFromUs(pid, parents))
    .map(({ pid, command }) => `process ${pid}: ${command}`);
}

interface ProcessTraces {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly traces: readonly string[];
}

/** Null for a process that has ended, a zombie among them, and for one of somebody else. */
function readProcess(pid: number): ProcessTraces | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (/^[ZX]/.test(state!)) return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const traces = [command, readFileSync(`/proc/${pid}/environ`, 'utf8'), readlinkSync(`/proc/${pid}/cwd`)];
    return { pid, parent: Number(parent), command, traces };
  } catch {
    return null;
  }
}

function descendsFromUs(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let parent = parents.get(pid); parent !== undefined; parent = parents.get(parent)) {
    if (parent === process.pid) return true;
  }
  return false;
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => `file ${path.join(folder, name)}`) : [];
}

/** Where root starts a database as another user, it lies outside of its home, with a note whose it is. */
function databasesOf(folder: string): string[] {
  if (!existsSync(SHARED_FOLDER)) return [];
  return readdirSync(SHARED_FOLDER)
    .map((name) => path.join(SHARED_FOLDER, name))
    .filter((data) => homeOf(data)?.startsWith(folder) === true)
    .map((data) => `database ${data} of ${homeOf(data)}`);
}

function homeOf(data: string): string | null {
  try {
    return readFileSync(path.join(data, 'home'), 'utf8');
  } catch {
    return null;
  }
}

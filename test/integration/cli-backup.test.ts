import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inPrivateHome } from '../../cli/bench/private-home.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';
import { until } from '../support/adaptation-kills.ts';
import { thaw } from '../support/command-line.ts';
import { specDocument } from '../support/spec-document.ts';

// The program as people use it: a backup in the middle of runs, another home, and what is deleted in the first.

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-cli-backup-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROUNDS = 6;
const BACKUP = path.join(folder, 'backup');

async function writeSpec(): Promise<string> {
  const file = path.join(folder, 'spec.json');
  const document = {
    ...specDocument(),
    algorithm: { name: 'ippo', hidden_sizes: [16], parallel_environments: 64 },
    budget: { env_steps: 64 * 25 * 4 * ROUNDS, rounds: ROUNDS },
    evaluation: { every_rounds: 2, episodes: 4, final_episodes: 4 },
    variants: {
      pool: { strategy: { kind: 'pool', size: 2 } },
      population: { strategy: { kind: 'population', size: 2, every_rounds: 1, simulators: ['zero'] } },
    },
    seeds: [0],
  };
  await writeFile(file, JSON.stringify(document));
  return file;
}

const roundsOf = async (database: Database, id: string): Promise<number> =>
  (await listRuns(database, id)).reduce((sum, { roundsCompleted }) => sum + roundsCompleted, 0);

/** The states at the end, and the digest of the rows. */
async function outcome(database: Database, id: string) {
  await until('the end of the runs', async () =>
    (await listRuns(database, id)).every(({ state }) => isFinalState(state)),
  );
  const runs = await listRuns(database, id);
  return { states: runs.map(({ state }) => state), digest: await deterministicDigest(database, id) };
}

it('[P06][P41] runs of a backup made in their middle end in another home with the rows of the first, where they can be deleted', async () => {
  const first = await inPrivateHome(async ({ configuration, database }) => {
    const env = { THAW_HOME: configuration.home };
    const submitted = await thaw(['submit', await writeSpec()], env);
    expect(submitted.stderr).toBe('');
    const id = (await database.query('select id from experiments')).rows[0]!['id'] as string;
    const early = await thaw(['delete', id, '--yes'], env);
    expect(early).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('thaw cancel') });
    await until('a round of each run', async () => (await roundsOf(database, id)) >= 3);
    const made = await thaw(['backup', BACKUP], env);
    expect(made).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/1 experiment, 2 runs, .* artifacts/),
    });
    const again = await thaw(['backup', BACKUP], env);
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not empty') });
    const occupied = await thaw(['restore', BACKUP], env);
    expect(occupied).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(id) });
    const end = await outcome(database, id);

    expect(await thaw(['gc', '--dry-run'], env)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/checkpoint +\d+ .*\n.*policy +\d+ .*\n.*snapshot +\d+ /),
    });
    expect(await thaw(['delete', id], env)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') });
    expect(await thaw(['delete', id, '--yes'], env)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('2 runs: deleted.'),
    });
    expect((await database.query('select 1 from experiments')).rows).toEqual([]);
    return { id, ...end };
  });
  expect(first.states).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  const second = await inPrivateHome(async ({ configuration, database }) => {
    const restored = await thaw(['restore', BACKUP], { THAW_HOME: configuration.home });
    expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`thaw watch ${first.id}`) });
    const rounds = (await database.query('select count(*) as count from rounds where round > 0')).rows[0]!['count'];
    expect(rounds).toBeGreaterThanOrEqual(3);
    const end = await outcome(database, first.id);
    expect((await database.query(`select message from events where kind = 'repaired'`)).rows).toEqual([]);
    return { id: first.id, ...end };
  });
  expect(second).toEqual(first);
  expect(await readdir(BACKUP)).toEqual(['artifacts', 'manifest.json', 'tables']);
}, 240_000);

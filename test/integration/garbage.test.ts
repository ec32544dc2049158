import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { collectGarbage, GARBAGE_AGE_MS } from '../../infra/artifacts/garbage.ts';
import { keepArtifacts } from '../../infra/postgres/artifact-lock.ts';
import { insertReplaySegments } from '../../infra/postgres/artifact-rows.ts';
import { beginAttempt } from '../../infra/postgres/attempt-rows.ts';
import { releaseCheckpoints } from '../../infra/postgres/checkpoint-retention.ts';
import { createDatabase, type Database } from '../../infra/postgres/database.ts';
import { deleteExperiment } from '../../infra/postgres/experiment-deletion.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { commitRound } from '../../infra/postgres/round-rows.ts';
import { until } from '../support/adaptation-kills.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { takeRun } from '../support/take-run.ts';
import { startComputing } from '../support/computing.ts';
import { storeExperiment } from '../support/store-experiment.ts';

let postgres: TestPostgres;
let database: Database;
let url: string;
let folder: string;
const parent = mkdtempSync(path.join(tmpdir(), 'thaw-garbage-'));
beforeAll(async () => void (postgres = await startTestPostgres()));
beforeEach(async () => {
  ({ database, url } = await postgres.createDatabase());
  folder = mkdtempSync(path.join(parent, 'case-'));
});
afterAll(async () => {
  await postgres.stop();
  rmSync(parent, { recursive: true });
});

const store = () => createFolderStore(folder);
const fileOf = (hash: string): string => path.join(folder, hash.slice(0, 2), hash);
const LONG_AGO = new Date(Date.now() - 10 * GARBAGE_AGE_MS);

/** Stores an artifact as if long ago. */
async function oldArtifact(text: string): Promise<string> {
  const { hash } = await store().write(new TextEncoder().encode(text));
  await utimes(fileOf(hash), LONG_AGO, LONG_AGO);
  return hash;
}

async function kept(): Promise<Set<string>> {
  const names = await Promise.all((await readdir(folder)).map((subfolder) => readdir(path.join(folder, subfolder))));
  return new Set(names.flat());
}

const collect = (options: Partial<Parameters<typeof collectGarbage>[2]> = {}) =>
  collectGarbage(database, store(), { ageMs: GARBAGE_AGE_MS, isDryRun: false, ...options });

/** Where a hash may stand, and how it gets there. */
const PLACES: Readonly<Record<string, (hash: string) => Promise<unknown>>> = {
  'a file of a run': (hash) =>
    database.query(`insert into artifacts values ($1, 1, 'snapshot:learner:0', $2, 1)`, [run(), hash]),
  'the checkpoint of a round': (hash) =>
    database.query('insert into rounds values ($1, 1, 1, $2, 1, 1)', [run(), hash]),
  'a partner in a stored simulator': (hash) =>
    database.query(`insert into simulators values ('s', 'f', '1', '{}', $1)`, [
      JSON.stringify({ partners: { 1: { kind: 'policy', artifact: hash } } }),
    ]),
  'a partner in a spec': (hash) => database.query('update experiments set document = to_json($1::text)', [hash]),
  'a partner in a variant': (hash) => database.query('update variants set resolved = to_json($1::text)', [hash]),
  'the state of a strategy': (hash) =>
    database.query(`insert into strategy_states (run_id, round, state, episode_rule) values ($1, 0, $2, '{}')`, [
      run(),
      JSON.stringify({ generations: [{ partners: { 1: { artifact: hash } } }] }),
    ]),
  'a game across runs': (hash) =>
    database.query(`insert into cross_play values ('example-1', 'a', 0, 'b', 0, 'p', 's', $1, '{}', 0, 1, 0, 0)`, [
      JSON.stringify({ 0: hash }),
    ]),
  'a column that a later migration adds': async (hash) => {
    await database.query('alter table runs add column later text[]');
    await database.query('update runs set later = array[$1]', [`before ${hash} after`]);
  },
};
const run = (seed = 0): string => runId('example-1', 'frozen', seed);

describe('[P41] garbage collection', () => {
  it.each(Object.keys(PLACES))('never removes what %s names', async (place) => {
    await seedExperiment(database);
    const [named, unnamed] = [await oldArtifact('named'), await oldArtifact('unnamed')];
    await PLACES[place]!(named);
    expect(await collect({ isDryRun: true })).toMatchObject({ unreferenced: { files: 1 }, isRemoved: false });
    expect(await kept()).toEqual(new Set([named, unnamed]));
    expect(await collect()).toMatchObject({ unreferenced: { files: 1 }, isRemoved: true });
    expect(await kept()).toEqual(new Set([named]));
  });

  it('removes the checkpoints that a run which has succeeded gave up, and none of a run that may need them', async () => {
    await seedExperiment(database);
    const [hash] = [await oldArtifact('given up')];
    await database.query('insert into rounds values ($1, 1, 1, $2, 1, 1)', [run(), hash]);
    expect((await collect()).unreferenced.files).toBe(0);
    await database.query(`update runs set state = 'SUCCEEDED' where id = $1`, [run()]);
    expect((await collect()).unreferenced.files).toBe(1);
  });

  it('leaves what is young, and sweeps rests of writes that are not', async () => {
    const young = await store().write(new TextEncoder().encode('young'));
    const old = await oldArtifact('old');
    for (const ending of ['.1.partial', '.2.partial', '.damaged']) await writeFile(`${fileOf(old)}${ending}`, 'x');
    for (const ending of ['.1.partial', '.damaged']) await utimes(`${fileOf(old)}${ending}`, LONG_AGO, LONG_AGO);
    const { unreferenced, leftOver, tooYoung } = await collect();
    expect([unreferenced.files, leftOver.files, tooYoung.files]).toEqual([1, 2, 2]);
    expect(await kept()).toEqual(new Set([young.hash, `${old}.2.partial`]));
  });

  it('leaves what a running attempt may have written, however long ago and whatever the age', async () => {
    await seedExperiment(database);
    const before = await oldArtifact('before');
    await beginAttempt(database, { runId: run(), kind: 'train_round', round: 0, worker: 'w', fingerprint: {} });
    await database.query(`update attempts set started_at = now() - interval '5 hours'`);
    const { hash } = await store().write(new TextEncoder().encode('written in the attempt'));
    const fourHoursAgo = new Date(Date.now() - 4 * 3_600_000);
    await utimes(fileOf(hash), fourHoursAgo, fourHoursAgo);
    await collect({ ageMs: 0 });
    expect(await kept()).toEqual(new Set([hash]));
    expect(await kept()).not.toContain(before);
  });

  it('is refused while a backup needs everything to stay, and so is giving up checkpoints', async () => {
    await seedExperiment(database);
    const hash = await oldArtifact('needed');
    const token = await beginAttempt(database, {
      runId: run(),
      kind: 'train_round',
      round: 0,
      worker: 'w',
      fingerprint: {},
    });
    for (let round = 1; round <= 4; round += 1)
      await commitRound(database, token, {
        ...ROUND,
        round,
        checkpoint: { hash: round === 1 ? hash : String(round).repeat(64), bytes: 1 },
      });
    const backup = createDatabase(url, { connectionsMax: 1 });
    await keepArtifacts(backup);
    await expect(collect()).rejects.toMatchObject({ code: 'REQUEST_CONFLICT' });
    await releaseCheckpoints(database, store(), { runId: run(), roundsCompleted: 4 });
    expect(await kept()).toEqual(new Set([hash]));
    await backup.close();
    await until('the end of the session', async () => {
      const { rows } = await database.query(`select 1 from pg_locks where locktype = 'advisory'`);
      return rows.length === 0;
    });
    await releaseCheckpoints(database, store(), { runId: run(), roundsCompleted: 4 });
    expect(await kept()).toEqual(new Set());
  });

  it('that goes on all the time beside a run removes nothing that the run needs, even with an age of 0', async () => {
    const computing = startComputing(folder);
    const ROUNDS = 3;
    const experiment = resolved({
      ...specDocument(),
      algorithm: { name: 'ippo', hidden_sizes: [8], parallel_environments: 8 },
      budget: { env_steps: 200 * ROUNDS, rounds: ROUNDS },
      evaluation: { every_rounds: 2, episodes: 2, final_episodes: 2 },
      variants: { population: { strategy: { kind: 'population', size: 1, every_rounds: 1, simulators: ['zero'] } } },
      seeds: [0],
    });
    await storeExperiment(database, 'e', experiment);
    let isRunning = true;
    const looking = (async () => {
      let removed = 0;
      for (let time = 0; isRunning; time += 1) {
        await oldArtifact(`rubbish ${time}`);
        removed += (await collect({ ageMs: 0 })).unreferenced.files;
      }
      return removed;
    })();
    try {
      await takeRun(computing.dependenciesOn(database), runId('e', 'population', 0));
    } finally {
      isRunning = false;
      await computing.stop();
    }
    expect(await looking).toBeGreaterThan(5);
    const { rows } = await database.query(`select kind from events where kind = 'repaired'`);
    expect(rows).toEqual([]);
    const { rows: files } = await database.query('select hash from artifacts');
    for (const { hash } of files) expect(await store().flawOf(hash as string)).toBeNull();
    expect(files.length).toBeGreaterThan(ROUNDS);
  });
});

const ROUND = {
  envSteps: 1,
  episodes: [],
  samples: null,
  members: [],
  costs: [],
  metrics: {},
  wallS: 1,
  peakRssMib: 1,
  segments: [],
  idleShares: [],
  peakGpuMib: null,
};

describe('giving up checkpoints', () => {
  const other = runId('example-1', 'pool', 0);
  const release = () => releaseCheckpoints(database, store(), { runId: run(), roundsCompleted: 4 });
  let first: string;

  beforeEach(async () => {
    await seedExperiment(database);
    first = await oldArtifact('first');
    const attempt = { kind: 'train_round', worker: 'w', fingerprint: {} } as const;
    const token = await beginAttempt(database, { runId: run(), round: 3, ...attempt });
    for (let round = 1; round <= 4; round += 1) {
      const hash = round === 1 ? first : String(round).repeat(64);
      await commitRound(database, token, { ...ROUND, round, checkpoint: { hash, bytes: 1 } });
    }
  });

  it('leaves to a run in the middle of the same round the bytes that it may have written just now', async () => {
    await beginAttempt(database, { runId: other, kind: 'train_round', round: 0, worker: 'w', fingerprint: {} });
    await release();
    expect(await kept()).toContain(first);
    // The other run is in its next round: it has its row of this one, or wrote other bytes.
    await beginAttempt(database, { runId: other, kind: 'train_round', round: 1, worker: 'w', fingerprint: {} });
    await release();
    expect(await kept()).not.toContain(first);
  });

  it('gives up with them the segments of replay that only they list', async () => {
    const [own, later, elsewhere] = await Promise.all(['own', 'later', 'elsewhere'].map(oldArtifact));
    const list = (runId: string, round: number, hashes: readonly string[]) =>
      insertReplaySegments(
        database,
        runId,
        round,
        hashes.map((hash) => ({ hash, bytes: 1 })),
      );
    await list(run(), 1, [own!, later!, elsewhere!]);
    await list(run(), 4, [later!]);
    await list(other, 1, [elsewhere!]);
    await release();
    expect(await kept()).toEqual(new Set([later, elsewhere]));
    const { rows } = await database.query('select run_id, round, hash from replay_segments order by run_id, round');
    const left = [
      { run_id: run(), round: 4, hash: later },
      { run_id: other, round: 1, hash: elsewhere },
    ];
    expect(rows).toEqual(left.sort((a, b) => (a.run_id < b.run_id ? -1 : 1)));
  });

  it('leaves the segments that were written since the oldest attempt began', async () => {
    const { hash } = await store().write(new TextEncoder().encode('new'));
    await insertReplaySegments(database, run(), 1, [{ hash, bytes: 1 }]);
    await release();
    expect(await kept()).toContain(hash);
  });

  it('waits for a fork that takes them over, and then leaves them to it', async () => {
    let released: Promise<void> | undefined;
    await database.transaction(async (fork) => {
      await fork.query('select 1 from artifacts where run_id = $1 for update', [run()]);
      released = release();
      await until('the lock to be waited for', async () => {
        const { rows } = await database.query('select 1 from pg_locks where not granted');
        return rows.length > 0;
      });
      await fork.query(`insert into artifacts select $2, round, kind, hash, bytes from artifacts where run_id = $1`, [
        run(),
        other,
      ]);
    });
    await released;
    expect(await kept()).toContain(first);
  });
});

describe('deleting an experiment', () => {
  it('is refused while a run is not over', async () => {
    await seedExperiment(database);
    await expect(deleteExperiment(database, 'example-1', { isForced: true })).rejects.toMatchObject({
      code: 'REQUEST_CONFLICT',
      message: expect.stringContaining(`${run()}, `),
      remedy: expect.stringContaining('thaw cancel example-1'),
    });
  });

  it('deletes every row of it, and leaves to others what is theirs', async () => {
    await seedExperiment(database);
    await database.query(`update runs set state = 'CANCELLED', finished_at = now()`);
    await seedExperiment(database, { id: 'other', overrides: ['name=other', 'budget.rounds=4'] });
    await PLACES['a partner in a stored simulator']!(await oldArtifact('of nobody else'));
    const shared = await oldArtifact('shared');
    for (const id of [run(), runId('other', 'frozen', 0)]) {
      await database.query(`insert into artifacts values ($1, 1, 'policy:0', $2, 1)`, [id, shared]);
    }
    const { hashes, runs, orphans } = await deleteExperiment(database, 'example-1', { isForced: false });
    expect([...hashes]).toEqual([shared]);
    expect([runs, orphans]).toEqual([4, []]);
    const { rows } = await database.query(`select experiment_id, count(*) as count from runs group by experiment_id`);
    expect(rows).toEqual([{ experiment_id: 'other', count: 4 }]);
    await collect();
    expect(await kept()).toEqual(new Set([shared]));
  });

  it('is refused when runs of others show its values, unless it is forced: then they are to be computed', async () => {
    await seedExperiment(database);
    await finishRun(database, run());
    await seedExperiment(database, { id: 'again', overrides: ['name=again'] });
    await database.query(`update runs set state = 'CANCELLED', finished_at = now() where state = 'QUEUED'`);
    const skipped = runId('again', 'frozen', 0);
    await expect(deleteExperiment(database, 'example-1', { isForced: false })).rejects.toMatchObject({
      code: 'REQUEST_CONFLICT',
      message: expect.stringContaining(skipped),
      remedy: expect.stringContaining('--force'),
    });
    expect((await deleteExperiment(database, 'example-1', { isForced: true })).orphans).toEqual([skipped]);
    const { rows } = await database.query('select state, same_as, rounds_completed, reason from runs where id = $1', [
      skipped,
    ]);
    expect(rows).toEqual([
      { state: 'CANCELLED', same_as: null, rounds_completed: 0, reason: expect.stringContaining('example-1') },
    ]);
  });
});

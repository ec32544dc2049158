import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/create-activities.ts';
import type { StoredFile } from '../../infra/artifacts/artifact-store.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { listAttempts } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { requeueRuns } from '../../infra/postgres/requeue-rows.ts';
import { findRun } from '../../infra/postgres/run-rows.ts';
import { useBuiltPrograms } from '../support/built-programs.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { createSmallDisk } from '../support/small-disk.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { startComputing } from '../support/computing.ts';
import { storeExperiment } from '../support/store-experiment.ts';

const [writing] = useBuiltPrograms([new URL('../support/writing-program.ts', import.meta.url)]) as [string];
const folder = mkdtempSync(path.join(tmpdir(), 'thaw-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function filesOf(stored: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for await (const file of createFolderStore(stored).list()) files.push(file);
  return files;
}

describe('[P08][P09] a process that is killed while it saves', () => {
  const KILLS = 12;
  const KILLS_MAX = 120;

  it('leaves every artifact whole or not at all, those it told of whole, and rests that are known as such', async () => {
    let leftOvers = 0;
    // How long a write takes is the disk's: it is killed until one was hit.
    for (let kill = 0; kill < KILLS || (leftOvers === 0 && kill < KILLS_MAX); kill += 1) {
      const stored = path.join(folder, `killed-${kill}`);
      const child = spawn(process.execPath, [writing, stored], { stdio: ['ignore', 'pipe', 'inherit'] });
      let told = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
      await once(child.stdout, 'data');
      // Anywhere in a write: the moments are spread over more than one of them.
      await delay(kill % KILLS);
      child.kill('SIGKILL');
      await once(child, 'close');
      const store = createFolderStore(stored);
      const files = await filesOf(stored);
      for (const { hash } of files) if (hash !== null) expect(await store.flawOf(hash)).toBeNull();
      for (const hash of told.split('\n').slice(0, -1)) expect(await store.flawOf(hash)).toBeNull();
      for (const file of files.filter(({ hash }) => hash === null)) {
        leftOvers += 1;
        await store.removeLeftOver(file);
      }
      expect((await filesOf(stored)).every(({ hash }) => hash !== null)).toBe(true);
      await rm(stored, { recursive: true });
    }
    expect(leftOvers).toBeGreaterThan(0);
  });
});

describe('a disk that is full', () => {
  const ID = 'full';
  const RUN = runId(ID, 'pool', 0);
  const ROUNDS = 4;
  let postgres: TestPostgres;
  let temporal: TestTemporal;
  beforeAll(async () => {
    [postgres, temporal] = await Promise.all([startTestPostgres(), startTestTemporal()]);
  });
  afterAll(async () => {
    await Promise.all([postgres.stop(), temporal.stop()]);
  });

  const experiment = resolved({
    ...specDocument(),
    algorithm: { name: 'ippo', hidden_sizes: [64], parallel_environments: 8 },
    budget: { env_steps: 200 * ROUNDS, rounds: ROUNDS },
    evaluation: { every_rounds: 1, episodes: 2, final_episodes: 2 },
    variants: { pool: { strategy: { kind: 'pool', size: 2 } } },
    seeds: [0],
    execution: { device: 'cpu', retries: { lost: 1 } },
  });

  /** Takes the experiment to its end with artifacts in a folder, as far as they fit. */
  async function run(database: Database, artifacts: string): Promise<void> {
    const computing = startComputing(artifacts);
    const activities = createActivities(computing.dependenciesOn(database));
    try {
      await temporal.withActivities(activities, () =>
        temporal.client.workflow.execute('runExperiment', {
          workflowId: `${artifacts}-${performance.now()}`,
          taskQueue: 'orchestrate',
          args: [{ experimentId: ID, afterPosition: -1 }],
        }),
      );
    } finally {
      await computing.stop();
    }
  }

  async function submitted(): Promise<Database> {
    const { database } = await postgres.createDatabase();
    await storeExperiment(database, ID, experiment);
    return database;
  }

  it('ends a run as CRASHED with a reason that names the folder; with space again it goes on, and ends with equal rows', async () => {
    const undisturbed = await submitted();
    await run(undisturbed, path.join(folder, 'undisturbed'));
    const checkpoints = await undisturbed.query(`select bytes from artifacts where kind = 'checkpoint'`);
    const bytes = checkpoints.rows[0]!['bytes'] as number;

    // Room for two checkpoints and a half.
    const disk = await createSmallDisk(2.5 * bytes, bytes / 2);
    try {
      const database = await submitted();
      await run(database, disk.folder);
      const { rows } = await database.query('select state, reason, rounds_completed from runs where id = $1', [RUN]);
      expect(rows).toMatchObject([
        {
          state: 'CRASHED',
          reason: expect.stringMatching(`lost after 2 attempts.*no space left in ${disk.folder}.*${disk.code}`),
        },
      ]);
      if (disk.code === 'ENOSPC') expect(rows[0]!['rounds_completed']).toBe(2);
      const attempts = await listAttempts(database, RUN);
      expect(attempts.slice(-2).map(({ outcome }) => outcome)).toEqual(['lost', 'lost']);
      expect((await filesOf(disk.folder)).filter(({ hash }) => hash === null)).toEqual([]);
      expect(await readdir(disk.folder)).not.toContain('partial');

      await disk.grow();
      await requeueRuns(database, { experimentId: ID, states: ['CRASHED'], resetsShrinks: false, endsPause: false });
      await run(database, disk.folder);
      expect((await findRun(database, RUN)).state).toBe('SUCCEEDED');
      expect(await deterministicDigest(database, ID)).toBe(await deterministicDigest(undisturbed, ID));
    } finally {
      await disk.end();
    }
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { trainRound } from '../../activities/train-round.ts';
import { fork } from '../../cli/lifecycle/fork-experiment.ts';
import { type ChildPool } from '../../infra/children/child-pool.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { findCheckpoint } from '../../infra/postgres/progress-rows.ts';
import type { Step } from '../../workflows/round-schedule.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { storedSession, submitDocument } from '../support/stored-session.ts';
import { inActivity, takeRun } from '../support/take-run.ts';
import { startComputing, type Computing } from '../support/computing.ts';
import { storeExperiment } from '../support/store-experiment.ts';

// Activities with a real training process and a real database; between two steps something happens to the artifacts.

const ENVIRONMENTS = 8;
const ROUNDS = 4;
const ID = 'repaired';
const POOL = runId(ID, 'pool', 0);
const POPULATION = runId(ID, 'population', 0);

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-repair-'));
let postgres: TestPostgres;
let computing: Computing;
const undisturbed = new Map<string, Promise<string>>();
beforeAll(async () => {
  computing = startComputing(folder);
  postgres = await startTestPostgres();
});
afterAll(async () => {
  await computing.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const document = {
  ...specDocument(),
  algorithm: { name: 'ippo', hidden_sizes: [8], parallel_environments: ENVIRONMENTS },
  budget: { env_steps: ENVIRONMENTS * 25 * ROUNDS, rounds: ROUNDS },
  evaluation: { every_rounds: 2, episodes: 4, final_episodes: 4 },
  variants: {
    pool: { strategy: { kind: 'pool', size: 2 } },
    population: { strategy: { kind: 'population', size: 2, every_rounds: 1, simulators: ['zero'] } },
  },
  seeds: [0],
};
const experiment = resolved(document);

const fileOf = (hash: string): string => path.join(folder, hash.slice(0, 2), hash);

const DAMAGES = {
  truncated: (file: string) => truncate(file, 100),
  'altered in one byte': async (file: string) => {
    const bytes = await readFile(file);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(file, bytes);
  },
  deleted: (file: string) => rm(file),
} as const;

async function createDependencies(): Promise<ActivityDependencies> {
  const { database } = await postgres.createDatabase();
  await storeExperiment(database, ID, experiment);
  return computing.dependenciesOn(database);
}

async function checkpointFile(database: Database, run: string, round: number): Promise<string> {
  return fileOf((await findCheckpoint(database, run, round))!);
}

async function repairs(database: Database): Promise<string[]> {
  const events = await listEvents(database, { experimentId: ID }, { after: 0, limit: 1000 });
  return events.filter(({ kind }) => kind === 'repaired').map(({ message }) => message);
}

const isStep = (step: Step, kind: Step['kind'], round: number): boolean => step.kind === kind && step.round === round;

/** The rows of a run that was left alone. */
function undisturbedDigest(run: string): Promise<string> {
  const known = undisturbed.get(run);
  if (known !== undefined) return known;
  const digest = createDependencies().then(async (dependencies) => {
    await takeRun(dependencies, run);
    expect(await repairs(dependencies.database)).toEqual([]);
    return deterministicDigest(dependencies.database, ID);
  });
  undisturbed.set(run, digest);
  return digest;
}

describe('[P08] a checkpoint that is not what its name says', () => {
  it.each(Object.keys(DAMAGES) as (keyof typeof DAMAGES)[])(
    'because it was %s is made again from the one before, and the rows are those of a run that was left alone',
    async (damage) => {
      const dependencies = await createDependencies();
      const { database } = dependencies;
      await takeRun(dependencies, POOL, async (step) => {
        if (isStep(step, 'train_round', 2)) await DAMAGES[damage](await checkpointFile(database, POOL, 2));
      });
      const told = await repairs(database);
      expect(told).toEqual([expect.stringMatching(/^the checkpoint of round 2 is .*: made again from round 1 by/)]);
      expect(told[0]).toContain(damage === 'deleted' ? 'is missing' : 'is damaged');
      expect(await deterministicDigest(database, ID)).toBe(await undisturbedDigest(POOL));
    },
  );

  it('is found by every activity, also with all checkpoints before it gone', async () => {
    const dependencies = await createDependencies();
    const { database } = dependencies;
    await takeRun(dependencies, POOL, async (step) => {
      if (step.kind === 'adapt_pool' || step.round === 0) return;
      for (let round = 1; round <= step.round; round += 1) {
        await rm(await checkpointFile(database, POOL, round), { force: true });
      }
    });
    const told = await repairs(database);
    const rounds = told.map((message) => Number(/round (\d+)/.exec(message)![1]));
    // Evaluated and trained on after round 2, trained on after 1 and 3, evaluated and finished with after 4; finishing also
    // evaluates the best, which lies on the way to the last.
    expect(rounds.slice(0, 6)).toEqual([1, 2, 2, 3, 4, 4]);
    expect(told[1]).toContain('from the initial weights by training 2 rounds');
    expect(await deterministicDigest(database, ID)).toBe(await undisturbedDigest(POOL));
  });

  it('is made again beside partners that are earlier policies of the run, whose files are exported again', async () => {
    const dependencies = await createDependencies();
    const { database } = dependencies;
    await takeRun(dependencies, POPULATION, async (step) => {
      if (!isStep(step, 'train_round', ROUNDS - 1)) return;
      await computing.children.release(POPULATION);
      const { rows } = await database.query('select hash from artifacts where run_id = $1', [POPULATION]);
      for (const { hash } of rows) await rm(fileOf(hash as string), { force: true });
    });
    const told = await repairs(database);
    expect(told.filter((message) => message.startsWith('the policy')).length).toBeGreaterThan(1);
    expect(await deterministicDigest(database, ID)).toBe(await undisturbedDigest(POPULATION));
  });

  it('of a fork is made again as the run did that it was forked from, also under other settings', async () => {
    const digests: string[] = [];
    for (const isDamaged of [false, true]) {
      const dependencies = await createDependencies();
      const { database } = dependencies;
      const { session } = storedSession(database, { home: folder });
      const { pool } = document.variants;
      const parent = (await submitDocument(session, { ...document, variants: { pool } })).experiment.id;
      await takeRun(dependencies, runId(parent, 'pool', 0));
      const changes = ['algorithm={"name":"ippo","hidden_sizes":[8],"parallel_environments":8,"learning_rate":0.001}'];
      const { submission } = await fork(session, parent, { name: 'forked', overrides: changes, fromRound: 2 });
      const child = runId(submission.experiment.id, 'pool', 0);
      await computing.children.release(child);
      if (isDamaged)
        for (const round of [1, 2]) await rm(await checkpointFile(database, child, round), { force: true });
      await takeRun(dependencies, child);
      const { rows } = await database.query(`select message from events where kind = 'repaired' and run_id = $1`, [
        child,
      ]);
      const told = rows.map(({ message }) => message as string);
      expect(told).toEqual(isDamaged ? [expect.stringContaining('round 2 is missing')] : []);
      digests.push(await deterministicDigest(database, submission.experiment.id));
    }
    expect(digests[1]).toBe(digests[0]);
  });

  it('stops the attempt when other bytes come out, and says what to do', async () => {
    const dependencies = await createDependencies();
    const { database } = dependencies;
    const stop = new Error('far enough');
    const going = takeRun(dependencies, POOL, async (step) => {
      if (isStep(step, 'train_round', 2)) throw stop;
    });
    await expect(going).rejects.toBe(stop);
    // As if another machine had computed it.
    const elsewhere = 'ab'.repeat(32);
    await database.query('update rounds set checkpoint_hash = $1 where run_id = $2 and round = 2', [elsewhere, POOL]);
    await database.query(`update attempts set fingerprint = '{"node":"another"}'`);
    await expect(inActivity(() => trainRound(dependencies, { runId: POOL, round: 2 }))).rejects.toMatchObject({
      type: 'request',
      message: expect.stringMatching(
        new RegExp(
          `is missing.*round 2 of ${POOL} it is [0-9a-f]{64} and not ${elsewhere}.*node another \\(here this one\\).*retry`,
        ),
      ),
    });
    const { rows } = await database.query('select rounds_completed from runs where id = $1', [POOL]);
    expect(rows).toEqual([{ rounds_completed: 2 }]);
    expect(await repairs(database)).toEqual([]);
  });

  it('is not made again for ever when the attempt is stopped meanwhile', async () => {
    const dependencies = await createDependencies();
    const { database } = dependencies;
    const stop = new AbortController();
    await takeRun(dependencies, POOL, async (step) => {
      if (!isStep(step, 'train_round', 1)) return;
      await rm(await checkpointFile(database, POOL, 1));
      const request: ChildPool['request'] = (asked) => {
        stop.abort(new Error('stopped'));
        return computing.children.request(asked);
      };
      const stopped = inActivity(
        () => trainRound({ ...dependencies, children: { ...computing.children, request } }, { runId: POOL, round: 1 }),
        stop.signal,
      );
      await expect(stopped).rejects.toThrow();
      expect(await repairs(database)).toEqual([]);
    });
    expect(await repairs(database)).toHaveLength(1);
    expect(await deterministicDigest(database, ID)).toBe(await undisturbedDigest(POOL));
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrainedRound } from '../../activities/session-messages.ts';
import { trainRequest } from '../../activities/train-request.ts';
import { reproduceRound, type ReplayDependencies } from '../../cli/diagnosis/reproduce-round.ts';
import { reproductionText } from '../../cli/diagnosis/reproduction-text.ts';
import { sessionHandlers } from '../../cli/worker/session-handlers.ts';
import { diagnosisOf } from '../../cli/diagnosis/show-diagnosis.ts';
import { replayIn } from '../../cli/diagnosis/show-reproduction.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { beginAttempt, endAttempt, type AttemptEnd } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { commitPool, findPool, NO_PARTS, type SimulatorRecord } from '../../infra/postgres/pool-rows.ts';
import { findCheckpoint } from '../../infra/postgres/progress-rows.ts';
import { commitRound } from '../../infra/postgres/round-rows.ts';
import { findRun } from '../../infra/postgres/run-rows.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { thaw } from '../support/command-line.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';

let postgres: TestPostgres;
const folder = mkdtempSync(path.join(tmpdir(), 'thaw-diagnose-'));
const store = createFolderStore(folder);

beforeAll(async () => void (postgres = await startTestPostgres()));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await postgres.stop();
});

const EVERYTHING = { variant: undefined, seed: undefined };

interface Document {
  readonly variants: readonly {
    readonly variant: string;
    readonly runs: number;
    readonly verdicts: Record<string, number>;
    readonly diagnoses: readonly { id: string; found: string; evidence: readonly object[]; remedy: string }[];
    readonly also_seen: readonly object[];
  }[];
}

async function documentOf(database: Database, id: string, scope: Partial<typeof EVERYTHING> = {}): Promise<Document> {
  return JSON.parse(await diagnosisOf(database, id, { ...EVERYTHING, ...scope, format: 'json' })) as Document;
}

const foundIn = ({ variants }: Document, id: string) =>
  variants[0]!.diagnoses.find((diagnosis) => diagnosis.id === id)!.found;

describe('the diagnosis of an experiment', () => {
  /** The example, of which only the frozen runs are finished: one lost half of what it had learnt, one learnt nothing. */
  async function seeded(): Promise<Database> {
    const { database } = await postgres.createDatabase();
    await seedExperiment(database);
    await finishRun(database, runId('example-1', 'frozen', 0), { lostAttempts: 1 });
    await finishRun(database, runId('example-1', 'frozen', 1), { relativeGap: NaN });
    return database;
  }

  it('says of every variant what was found, with evidence and remedy, and what is not known', async () => {
    const { variants } = await documentOf(await seeded(), 'example-1');
    expect(variants.map(({ variant, runs }) => [variant, runs])).toEqual([
      ['frozen', 2],
      ['pool', 2],
    ]);
    const [frozen, pool] = variants;
    expect(frozen!.verdicts).toEqual({ collapsed: 1, untrained: 1 });
    const [overfit] = frozen!.diagnoses;
    expect(overfit).toMatchObject({ id: 'overfit_to_simulator', found: 'yes' });
    expect(overfit!.evidence[0]).toMatchObject({ value: 0.5, limit: 0.2 });
    expect(pool!.diagnoses.map(({ found }) => found)).not.toContain('yes');
    expect(pool!.verdicts).toEqual({});
  });

  it('is text that begins with the verdict and its returns, and ends with what is not known', async () => {
    const text = await diagnosisOf(await seeded(), 'example-1', { ...EVERYTHING, format: 'table' });
    expect(text).toContain(
      'Verdict: 1 collapsed, 1 untrained of 2 runs. Mean return -8.00 in training, -11.00 held out',
    );
    expect(text).toMatch(/Found overfit_to_simulator: 50 % .*limit 20 %/);
    expect(text).toContain('Remedy: ');
    expect(text).toContain('Not known: ');
    expect(text).not.toContain('Also seen');
  });

  it('is of one variant, one seed or one run when these are named, and refuses names that are not there', async () => {
    const database = await seeded();
    const run = await documentOf(database, 'example-1/frozen/1');
    expect(run.variants.map(({ variant, runs }) => [variant, runs])).toEqual([['frozen', 1]]);
    expect(run.variants[0]!.verdicts).toEqual({ untrained: 1 });
    const narrowed = await diagnosisOf(database, 'example-1', { variant: 'pool', seed: 1, format: 'table' });
    expect(narrowed).toContain('pool  strategy pool, 1 run');
    expect(narrowed).not.toContain('frozen');
    await expect(
      diagnosisOf(database, 'example-1', { variant: 'pol', seed: undefined, format: 'json' }),
    ).rejects.toMatchObject({ code: 'REQUEST_BAD_ARGUMENT', message: expect.stringContaining('pool') });
    await expect(
      diagnosisOf(database, 'example-1', { variant: undefined, seed: 7, format: 'json' }),
    ).rejects.toMatchObject({ code: 'REQUEST_BAD_ARGUMENT' });
  });

  it('tells of a curve that fell and of cliffs where these were measured', async () => {
    const database = await seeded();
    const id = runId('example-1', 'frozen', 0);
    await database.query('update results set rise_then_fall = true, fall = 3.5 where run_id = $1', [id]);
    await database.query(
      `insert into sensitivities (run_id, kind, position, name, factor, episodes, return_mean, loss, is_cliff)
       values ($1, 'rule', 0, 'rules.damping', 1.05, 10, -9, 0.25, true),
              ($1, 'rule', 1, 'rules.acceleration', 0.95, 10, 'NaN', 'NaN', false)`,
      [id],
    );
    const cliff = { name: 'rules.damping', factor: 1.05, loss: 0.25 };
    expect((await documentOf(database, id)).variants[0]!.also_seen).toEqual([
      { seed: 0, rise_then_fall: true, fall: 3.5, cliffs: [cliff] },
    ]);
    const text = await diagnosisOf(database, id, { ...EVERYTHING, format: 'table' });
    expect(text).toContain('fell by 3.50; seed 0: a cliff, rules.damping × 1.05 loses 25 %');
  });

  it('of a SKIPPED run is that of the run it is equal to', async () => {
    const database = await seeded();
    await seedExperiment(database, { id: 'again', overrides: ['name=again'] });
    const [first, again] = await Promise.all(
      ['example-1', 'again'].map((id) => documentOf(database, `${id}/frozen/0`)),
    );
    const withoutCommand = (document: Document) =>
      document.variants[0]!.diagnoses.filter(({ id }) => id !== 'not_reproducible');
    expect(withoutCommand(again!)).toEqual(withoutCommand(first!));
  });
});

describe('a round that is played again', () => {
  const FINGERPRINT = { processor: 'x' };
  const DONE: AttemptEnd = {
    outcome: 'done',
    message: null,
    processId: 1,
    exitCode: null,
    signal: null,
    logTail: null,
    peakRssMib: 100,
  };
  const OVERRIDES = [
    'algorithm.hidden_sizes=[8]',
    'algorithm.parallel_environments=4',
    'budget.env_steps=600',
    'budget.rounds=3',
  ];
  const RUN = runId('small', 'pool', 0);
  const NAMES = ['zero', 'left'];
  const POOL = {
    round: 0,
    members: ONE_LEARNER,
    state: {},
    episodeRule: PLAIN_EPISODES,
    entries: NAMES.map((name) => ({
      ...{ name, simulatorHash: `hash of ${name}`, weight: 0.5, parents: [], reason: 'given' },
      ...{ randomization: {}, learns: true, failure: null, contribution: null },
    })),
  };
  const simulatorRecord = (name: string, simulator: SimulatorRecord['simulator']): SimulatorRecord => ({
    ...{ hash: `hash of ${name}`, family: 'simple_spread', familyVersion: '1', familyOptions: {}, simulator },
  });

  /** A run of which two rounds were really trained. */
  async function trained(): Promise<{ url: string } & ReplayDependencies> {
    const { database, url } = await postgres.createDatabase();
    const { variants } = await seedExperiment(database, { id: 'small', overrides: OVERRIDES });
    const simulators = NAMES.map((name) => simulatorRecord(name, variants['pool']!.simulators[name]!));
    const handlers = sessionHandlers(store);
    for (let round = 0; round < 2; round += 1) {
      const attempt = { runId: RUN, kind: 'train_round', round, worker: 'w', fingerprint: FINGERPRINT } as const;
      const token = await beginAttempt(database, attempt);
      if (round === 0) await commitPool(database, token, POOL, { ...NO_PARTS, simulators });
      const pool = (await findPool(database, RUN, round))!;
      const checkpointHash = await findCheckpoint(database, RUN, round);
      const strategy = DEFAULT_REGISTRIES.strategies['pool']!;
      const run = await findRun(database, RUN);
      const request = trainRequest(run, { round, pool, checkpointHash, strategy, settings: { samplerProcesses: 1 } });
      const result = (await handlers['train']!(request, async () => undefined)) as TrainedRound;
      await commitRound(database, token, {
        ...result,
        round: round + 1,
        envSteps: run.envSteps + result.envSteps,
        episodes: pool.entries.map((entry, index) => ({
          ...{ name: entry.name, simulatorHash: entry.simulatorHash },
          ...result.episodes[index]!,
          visitation: result.visitation[index]!,
        })),
        costs: [],
        ...{ wallS: 1, peakRssMib: 100 },
      });
      await endAttempt(database, token, DONE);
    }
    return { database, url, ...replayIn(store), fingerprint: () => FINGERPRINT };
  }

  it('gives the same rows, from the seed and from a checkpoint, and stores nothing but a line of the log', async () => {
    const replay = await trained();
    const written: string[] = [];
    const watched = { ...store, write: async (bytes: Uint8Array) => (written.push('w'), store.write(bytes)) };
    for (const round of [undefined, 1]) {
      const again = { ...replay, ...replayIn(watched), fingerprint: () => FINGERPRINT };
      const reproduction = await reproduceRound(again, RUN, round);
      expect(reproduction).toMatchObject({ runId: RUN, round: round ?? 2, difference: null, machineChanges: [] });
      // Two simulators, the metrics, the checkpoint: none of them may be left out.
      expect(reproduction.compared).toBeGreaterThan(2 * 12 + 2);
      expect(reproductionText(reproduction)).toContain('the round gives the same rows again');
    }
    expect(written).toEqual([]);
    expect(foundIn(await documentOf(replay.database, RUN), 'not_reproducible')).toBe('no');
  });

  it('that gives another row names it, with both values, and the diagnosis has it from then on', async () => {
    const replay = await trained();
    const { database } = replay;
    expect(foundIn(await documentOf(database, RUN), 'not_reproducible')).toBe('unknown');
    await database.query('update training_episodes set return_mean = -1.5 where round = 2 and position = 1');
    const reproduction = await reproduceRound(replay, RUN);
    expect(reproduction.difference).toMatchObject({
      table: 'training_episodes',
      key: '1',
      column: 'return_mean',
      stored: -1.5,
    });
    expect(reproductionText(reproduction)).toContain('training_episodes / 1 / return_mean: stored -1.5, now -');
    expect(foundIn(await documentOf(database, RUN), 'not_reproducible')).toBe('yes');
  });

  it('on another machine proves nothing when it differs, and says so', async () => {
    const replay = { ...(await trained()), fingerprint: () => ({ processor: 'y' }) };
    await replay.database.query('update metrics set value = 7 where round = 2');
    const reproduction = await reproduceRound(replay, RUN);
    expect(reproduction.machineChanges).toEqual([{ part: 'processor', then: 'x', now: 'y' }]);
    expect(reproductionText(reproduction)).toContain('processor x then, y now');
    expect(foundIn(await documentOf(replay.database, RUN), 'not_reproducible')).toBe('unknown');
  });

  it('tells the shell with 0 that the rows are equal and with 4 that they differ, and prints the place', async () => {
    const { database, url } = await trained();
    const env = { THAW_DATABASE_URL: url, THAW_ARTIFACTS: folder };
    const equal = await thaw(['diagnose', '--reproduce', RUN], env);
    expect([equal.exitCode, equal.stderr]).toEqual([0, '']);
    // The attempts of this test were made on a machine that does not exist.
    expect(equal.stdout).toContain('equal bits are promised only between equal ones');
    await database.query(`update rounds set checkpoint_hash = 'other' where round = 2`);
    const different = await thaw(['diagnose', '--reproduce', RUN, '-o', 'json'], env);
    expect(different.exitCode).toBe(4);
    expect(JSON.parse(different.stdout)).toMatchObject({
      ...{ run: RUN, round: 2, is_equal: false },
      difference: { table: 'rounds', key: '2', column: 'checkpoint_hash', stored: 'other' },
    });
    const experiment = await thaw(['diagnose', '--reproduce', 'small'], env);
    expect([experiment.exitCode, experiment.stderr]).toEqual([2, expect.stringContaining('small/VARIANT/SEED')]);
  });

  it('is one whose checkpoint before is kept; others are refused with those that can be played', async () => {
    const replay = await trained();
    await replay.database.query("delete from artifacts where kind = 'checkpoint' and round = 1");
    await expect(reproduceRound(replay, RUN, 2)).rejects.toMatchObject({
      code: 'REQUEST_BAD_ARGUMENT',
      remedy: expect.stringContaining('can: 1'),
    });
    expect((await reproduceRound(replay, RUN)).round).toBe(1);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeRun } from '../../activities/run-bookkeeping.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { childrenOf } from '../../cli/bench/process-table.ts';
import { listAttempts } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { listPolicyRuns } from '../../infra/postgres/policy-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { findRun } from '../../infra/postgres/run-rows.ts';
import { until } from '../support/adaptation-kills.ts';
import { type Computing, startComputing } from '../support/computing.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { storeExperiment } from '../support/store-experiment.ts';
import { takeRun } from '../support/take-run.ts';

// Activities with a real training process and a real database: what training may come to, and what of it is kept.

const ID = 'outcomes';
const RUN = runId(ID, 'pool', 0);
const ROUNDS = 3;
const ENVIRONMENTS = 8;

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-outcomes-'));
let postgres: TestPostgres;
let computing: Computing;
beforeAll(async () => {
  computing = startComputing(folder);
  postgres = await startTestPostgres();
});
afterAll(async () => {
  await computing.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

async function store(algorithm: object, blocksOfRound: number): Promise<ActivityDependencies> {
  const { database } = await postgres.createDatabase();
  const document = {
    ...specDocument(),
    algorithm: { hidden_sizes: [8], parallel_environments: ENVIRONMENTS, ...algorithm },
    budget: { env_steps: ENVIRONMENTS * 25 * blocksOfRound * ROUNDS, rounds: ROUNDS },
    evaluation: { every_rounds: ROUNDS, episodes: 4, final_episodes: 4 },
    variants: { pool: { strategy: { kind: 'pool', size: 2 } } },
    seeds: [0],
  };
  await storeExperiment(database, ID, resolved(document));
  return computing.dependenciesOn(database);
}

describe('a training whose numbers explode', () => {
  /** Steps of length 1 along gradients that nothing bounds. */
  const exploding = {
    ...{ name: 'ippo', optimizer: 'sgd', learning_rate: 1, learning_rate_schedule: 'constant' },
    ...{ gradient_clip: 1e30, value_normalization: 'none', normalize_advantages: false, value_coefficient: 100 },
  };

  it('ends with its class and where it happened, and keeps the last policy that was whole', async () => {
    const dependencies = await store(exploding, 4);
    const { database } = dependencies;
    await expect(takeRun(dependencies, RUN)).rejects.toMatchObject({
      type: 'diverged',
      message: expect.stringMatching(/^\w+ of learner was not finite in optimizer step \d+ of the run; /),
    });
    const { roundsCompleted } = await findRun(database, RUN);
    const last = (await listAttempts(database, RUN)).at(-1)!;
    expect(last).toMatchObject({ kind: 'train_round', round: roundsCompleted, outcome: 'diverged' });
    expect(last.message).toContain(`what it had learnt after round ${roundsCompleted} is kept`);
    await closeRun(dependencies, { runId: RUN, state: 'FAILED', reason: `diverged after 1 attempt: ${last.message}` });
    const [policies] = await listPolicyRuns(database, ID);
    expect(policies).toMatchObject({ sourceId: RUN, lastRound: roundsCompleted, bestRound: null });
    for (const hash of Object.values(policies!.lastPolicies))
      expect(await dependencies.artifacts.flawOf(hash)).toBeNull();
    const [row] = await listResultRows(database, ID);
    expect(row).toMatchObject({ state: 'FAILED', reason: expect.stringContaining('was not finite') });
  });
});

describe('a run that learns from what it keeps', () => {
  const keeping = { name: 'iql', replay: { capacity: 4_000 } };
  const BLOCKS = 12;
  let undisturbed: string;

  beforeAll(async () => {
    const dependencies = await store(keeping, BLOCKS);
    await takeRun(dependencies, RUN);
    undisturbed = await deterministicDigest(dependencies.database, ID);
  });

  it('that is killed in the middle of a round goes on to the rows of one that was left alone', async () => {
    const dependencies = await store(keeping, BLOCKS);
    const { database } = dependencies;
    const killed = takeRun(dependencies, RUN, async ({ kind, round }) => {
      if (kind !== 'train_round' || round !== 1) return;
      void killWhenUnderWay(database);
    });
    await expect(killed).rejects.toMatchObject({ type: expect.stringMatching(/error|lost/) });
    expect((await findRun(database, RUN)).roundsCompleted).toBe(1);
    await takeRun(dependencies, RUN);
    expect(await deterministicDigest(database, ID)).toBe(undisturbed);
  });

  it('that has lost a segment of it makes it again, with the same rows', async () => {
    const dependencies = await store(keeping, BLOCKS);
    const { database } = dependencies;
    await takeRun(dependencies, RUN, async ({ kind, round }) => {
      if (kind !== 'train_round' || round !== 2) return;
      await computing.children.release(RUN);
      const { rows } = await database.query('select hash from replay_segments where run_id = $1 and round = 2', [RUN]);
      expect(rows.length).toBe(2);
      const hash = rows[0]!['hash'] as string;
      await rm(path.join(folder, hash.slice(0, 2), hash));
    });
    const events = await listEvents(database, { experimentId: ID }, { after: 0, limit: 100 });
    const repairs = events.filter(({ kind }) => kind === 'repaired').map(({ message }) => message);
    expect(repairs).toEqual([
      expect.stringMatching(
        /^the checkpoint of round 2 has a replay segment that is missing \([0-9a-f]{64}\): made again/,
      ),
    ]);
    expect(await deterministicDigest(database, ID)).toBe(undisturbed);
  });
});

async function killWhenUnderWay(database: Database): Promise<void> {
  await until('the round to be under way', async () => {
    const { rows } = await database.query(
      `select 1 from runs where id = $1 and rounds_completed = 1 and progress_env_steps > env_steps`,
      [RUN],
    );
    return rows.length > 0;
  });
  for (const child of childrenOf(process.pid)) {
    if ((await database.query('select 1 from attempts where process_id = $1', [child])).rows.length > 0)
      process.kill(child, 'SIGKILL');
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fork } from '../../cli/lifecycle/fork-experiment.ts';
import { countText } from '../../web/documents/quantity-text.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { listExperiments } from '../../infra/postgres/experiment-list.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { FORKED_TABLES, UNFORKED_TABLES } from '../../infra/postgres/fork-rows.ts';
import { findRun, listRuns } from '../../infra/postgres/run-rows.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { specDocument } from '../support/spec-document.ts';
import { storedSession, submitDocument } from '../support/stored-session.ts';
import { takeRun } from '../support/take-run.ts';
import { startComputing, type Computing } from '../support/computing.ts';

// Activities with a real training process and a real database, without workflows.

const ENVIRONMENTS = 8;
const ROUND_STEPS = ENVIRONMENTS * 25;
const budget = (rounds: number): string => `budget={"env_steps":${rounds * ROUND_STEPS},"rounds":${rounds}}`;

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-fork-'));
let postgres: TestPostgres;
let computing: Computing;
let database: Database;
let session: ServiceSession;
/** Three rounds, a number that is no multiple of `every_rounds`; and the same with five. */
let parent: string;
let whole: string;
beforeAll(async () => {
  computing = startComputing(path.join(folder, 'artifacts'));
  postgres = await startTestPostgres();
  ({ database } = await postgres.createDatabase());
  ({ session } = storedSession(database, { home: folder }));
  parent = await finished([]);
  whole = await finished([budget(5), 'name=whole']);
});
afterAll(async () => {
  await computing.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});
const document = {
  ...specDocument(),
  algorithm: {
    name: 'ippo',
    hidden_sizes: [8],
    parallel_environments: ENVIRONMENTS,
    learning_rate_schedule: 'constant',
  },
  budget: { env_steps: 3 * ROUND_STEPS, rounds: 3 },
  evaluation: { every_rounds: 2, episodes: 4, final_episodes: 4 },
  variants: {
    pool: { strategy: { kind: 'pool', size: 2 } },
    failure_driven: {
      strategy: {
        kind: 'failure_driven',
        size: 2,
        added: 1,
        every_rounds: 1,
        mining: { every_rounds: 1, episodes: 4 },
      },
    },
  },
  seeds: [0],
};

/** Computes what is open of an experiment. */
async function takeAll(experimentId: string): Promise<void> {
  const dependencies = computing.dependenciesOn(database);
  for (const { id, state } of await listRuns(database, experimentId)) {
    if (state === 'QUEUED') await takeRun(dependencies, id);
  }
}

async function finished(overrides: readonly string[]): Promise<string> {
  const { experiment } = await submitDocument(session, document, overrides);
  await takeAll(experiment.id);
  return experiment.id;
}

async function forked(id: string, fromRound: number | null, name: string, ...overrides: string[]): Promise<string> {
  const { submission } = await fork(session, id, { name, overrides, fromRound });
  return submission.experiment.id;
}

async function experimentCount(): Promise<number> {
  return (await listExperiments(database, { limit: 100 })).length;
}

describe('a fork at a round', () => {
  it('from the last round with more of them ends with the rows of a run that had as many from the start', async () => {
    // Ends at a round that a longer run does not evaluate, and at which its strategy decides.
    const child = await forked(parent, 3, 'child', budget(4));
    await takeAll(child);
    const grandchild = await forked(child, 4, 'grandchild', budget(5));
    const { roundsCompleted, envSteps, attempts } = (await listRuns(database, grandchild))[0]!;
    expect({ roundsCompleted, envSteps, attempts }).toEqual({
      roundsCompleted: 4,
      envSteps: 4 * ROUND_STEPS,
      attempts: 0,
    });
    await takeAll(grandchild);
    expect((await listRuns(database, grandchild)).map(({ state }) => state)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(await deterministicDigest(database, grandchild)).toBe(await deterministicDigest(database, whole));
    expect(await deterministicDigest(database, child)).not.toBe(await deterministicDigest(database, whole));
  });

  it('never stands for a run of equal content that was not forked, and not for one that was forked elsewhere', async () => {
    const first = await forked(parent, 3, 'identity', budget(4));
    const plain = await submitDocument(session, document, [budget(4), 'name=identity']);
    const ids = [first, await forked(parent, 2, 'identity', budget(4)), plain.experiment.id];
    const runs = await Promise.all(ids.map((id) => findRun(database, `${id}/pool/0`)));
    expect(new Set(runs.map(({ variantHash }) => variantHash)).size).toBe(3);
    const found = await Promise.all(ids.map((id) => findExperiment(database, id)));
    expect(found.map(({ version, forked: origin }) => [version, origin])).toEqual([
      [1, { from: parent, round: 3 }],
      [3, { from: parent, round: 2 }],
      [2, null],
    ]);
    // Asked for again, it is the one that is there.
    expect(await forked(parent, 3, 'identity', budget(4))).toBe(first);
  });

  it('[P56] goes on from the run that a skipped one is equal to, and begins cells of its own at their beginning', async () => {
    const { experiment, runs } = await submitDocument(session, document, ['name=again', 'seeds=[0,1]']);
    expect(runs.map(({ state }) => state)).toEqual(['SKIPPED', 'SKIPPED', 'QUEUED', 'QUEUED']);
    const roundsOf = async (id: string) =>
      (await listRuns(database, id)).map(({ seed, roundsCompleted }) => [seed, roundsCompleted]);
    const fromTheBeginning = await forked(experiment.id, null, 'fresh', 'seeds=[0,1]', budget(4));
    expect(await roundsOf(fromTheBeginning)).toEqual([0, 0, 1, 1].map((seed) => [seed, 0]));
    const later = await forked(experiment.id, 2, 'later', 'seeds=[0,2]', budget(4));
    expect(await roundsOf(later)).toEqual([0, 0, 2, 2].map((seed) => [seed, seed === 0 ? 2 : 0]));
  });

  it('of another evaluation leaves the evaluations before behind, and says what its budget comes to', async () => {
    const evaluated = async (id: string): Promise<unknown[]> => {
      const scores = `select round from checkpoint_scores where run_id = $1 and checkpoint = 'round' order by round`;
      return (await database.query(scores, [`${id}/pool/0`])).rows.map(({ round }) => round);
    };
    expect(await evaluated(await forked(parent, 3, 'as-before', budget(4)))).toEqual([0, 2]);
    expect(await evaluated(await forked(parent, 3, 'otherwise', budget(4), 'evaluation.seed=9'))).toEqual([]);
    const { planned } = await fork(session, parent, {
      name: 'told',
      fromRound: 3,
      // The rounds to come are of two updates each, those before were of one.
      overrides: ['evaluation.seed=9', `budget={"env_steps":${8 * ROUND_STEPS},"rounds":4}`],
    });
    expect(planned.notes).toEqual([
      'Evaluations before round 3 are left behind, because they would be made otherwise now: pool, failure_driven.',
      ...['pool', 'failure_driven'].map((name) => {
        const [end, asked] = [countText(5 * ROUND_STEPS), countText(8 * ROUND_STEPS)];
        return expect.stringContaining(`Runs of ${name} end with ${end} env steps instead of ${asked}`) as string;
      }),
    ]);
  });

  it('says what it cannot go on from, and has written nothing then', async () => {
    const count = await experimentCount();
    const refusals: [number, string[], string][] = [
      // Kept are 2 and 4, which were evaluated, 5, the last, and 3, which the parent has as well.
      [1, [], 'pool/0: 2, 3, 4, 5'],
      [9, [budget(12)], 'pool/0: 2, 3, 4, 5'],
      [4, ['budget.rounds=3'], 'fewer than the 4'],
      [4, ['algorithm.hidden_sizes=[9]'], 'algorithm.hidden_sizes [8] → [9]'],
      [4, ['variants.pool.strategy.size=1'], 'variants.pool.strategy.size 2 → 1'],
      [4, ['variants={"other":{"strategy":{"kind":"pool","size":2}}}'], 'no run in common'],
    ];
    for (const [round, overrides, words] of refusals) {
      await expect(forked(whole, round, 'refused', ...overrides), words).rejects.toMatchObject({
        code: 'REQUEST_CONFLICT',
        message: expect.stringContaining(words) as string,
      });
    }
    const misspelt = forked(whole, null, 'refused', 'budget.rouds=3');
    await expect(misspelt).rejects.toMatchObject({ code: 'REQUEST_INVALID_SPEC' });
    expect(await experimentCount()).toBe(count);
  });

  it('holds nothing out that its parent has met', async () => {
    const { rows } = await database.query(
      `select s.simulator from pools p join simulators s on s.hash = p.simulator_hash
        where p.run_id = $1 and p.round > 0 and p.name not in ('zero', 'left') order by p.round, p.position limit 1`,
      [`${parent}/failure_driven/0`],
    );
    const generated = [`simulators.generated=${JSON.stringify(rows[0]!['simulator'])}`, 'panels.test=["generated"]'];
    const accepting = [...generated, 'diversity.waiver="it is what this test is about"'];
    await expect(forked(parent, 3, 'met', budget(4), ...accepting)).rejects.toMatchObject({
      code: 'REQUEST_CONFLICT',
      message: expect.stringContaining('variants.failure_driven.panels.test: "generated" was trained on') as string,
    });
  });
});

it('every table with rows of rounds is taken over by a fork, or is named as one that is not', async () => {
  const { rows } = await database.query(
    `select table_name from information_schema.columns where table_schema = current_schema() and column_name in ('run_id', 'round')
      group by table_name having count(*) = 2 order by table_name`,
  );
  expect(rows.map(({ table_name: name }) => name)).toEqual([...Object.keys(FORKED_TABLES), ...UNFORKED_TABLES].sort());
});

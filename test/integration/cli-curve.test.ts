import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listCurveRows } from '../../infra/postgres/curve-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { thaw } from '../support/command-line.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';

let postgres: TestPostgres;
let folder: string;
let database: Database;
let url: string;

beforeAll(async () => {
  postgres = await startTestPostgres();
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-curve-'));
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => void ({ database, url } = await postgres.createDatabase()));

const RETURNS = [
  { round: 0, train: -14, heldout: -13 },
  { round: 1, train: -8, heldout: NaN },
];

/** What every run measured on the way, beside what it measured at its end. */
async function evaluateOnTheWay(id: string): Promise<void> {
  for (const { round, train, heldout } of RETURNS) {
    await database.query(
      `insert into checkpoint_scores (run_id, round, checkpoint, train_return, heldout_return)
       values ($1, $2, 'round', $3, $4)`,
      [id, round, train, heldout],
    );
  }
}

describe('the evaluated rounds of an experiment', () => {
  it('are those of every run in order, without the checkpoints of its end, and start at 0 env steps', async () => {
    await seedExperiment(database);
    const run = runId('example-1', 'frozen', 1);
    await finishRun(database, run);
    await evaluateOnTheWay(run);
    const common = { variant: 'frozen', seed: 1, validationReturn: null, worstHeldout: null };
    expect(await listCurveRows(database, 'example-1')).toEqual([
      { ...common, round: 0, envSteps: 0, trainReturn: -14, heldoutReturn: -13 },
      { ...common, round: 1, envSteps: 1000, trainReturn: -8, heldoutReturn: NaN },
    ]);
  });

  it('of a SKIPPED run are those of the run it is equal to', async () => {
    await seedExperiment(database);
    for (const { id } of await listRuns(database, 'example-1')) {
      await finishRun(database, id);
      await evaluateOnTheWay(id);
    }
    await seedExperiment(database, { id: 'again', overrides: ['name=again'] });
    const rows = await listCurveRows(database, 'again');
    expect(rows).toHaveLength(4 * RETURNS.length);
    expect(rows).toEqual(await listCurveRows(database, 'example-1'));
  });

  it('are printed by `results --curve`, NaN as text', async () => {
    await seedExperiment(database);
    const run = runId('example-1', 'pool', 0);
    await finishRun(database, run);
    await evaluateOnTheWay(run);
    const { stdout } = await thaw(['results', 'example-1', '--curve', '-o', 'json'], {
      THAW_DATABASE_URL: url,
      THAW_HOME: path.join(folder, 'home'),
    });
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows.map(({ round, env_steps, heldout_return }) => [round, env_steps, heldout_return])).toEqual([
      [0, 0, -13],
      [1, 1000, 'NaN'],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { listCurveRows } from '../../infra/postgres/curve-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const stored = useStoredCommandLine();

const RETURNS = [
  { round: 0, train: -14, heldout: -13 },
  { round: 1, train: -8, heldout: NaN },
];

/** What every run measured on the way, beside what it measured at its end. */
async function evaluateOnTheWay(id: string): Promise<void> {
  for (const { round, train, heldout } of RETURNS) {
    await stored.database.query(
      `insert into checkpoint_scores (run_id, round, checkpoint, train_return, heldout_return)
       values ($1, $2, 'round', $3, $4)`,
      [id, round, train, heldout],
    );
  }
}

describe('the evaluated rounds of an experiment', () => {
  it('are those of every run in order, without the checkpoints of its end, and start at 0 env steps', async () => {
    await seedExperiment(stored.database);
    const run = runId('example-1', 'frozen', 1);
    await finishRun(stored.database, run);
    await evaluateOnTheWay(run);
    const common = {
      ...{ variant: 'frozen', seed: 1, validationReturn: null, worstHeldout: null, trainSuccess: null },
      ...{ zeroVarianceShare: null, policyEntropy: null, dwelling: null, indifference: null },
    };
    expect(await listCurveRows(stored.database, 'example-1')).toEqual([
      { ...common, round: 0, envSteps: 0, trainReturn: -14, heldoutReturn: -13 },
      { ...common, round: 1, envSteps: 1000, trainReturn: -8, heldoutReturn: NaN },
    ]);
  });

  it('of a SKIPPED run are those of the run it is equal to', async () => {
    await seedExperiment(stored.database);
    for (const { id } of await listRuns(stored.database, 'example-1')) {
      await finishRun(stored.database, id);
      await evaluateOnTheWay(id);
    }
    await seedExperiment(stored.database, { id: 'again', overrides: ['name=again'] });
    const rows = await listCurveRows(stored.database, 'again');
    expect(rows).toHaveLength(4 * RETURNS.length);
    expect(rows).toEqual(await listCurveRows(stored.database, 'example-1'));
  });

  it('have the behaviour that was measured, and success by the weights of the pool and of nothing else', async () => {
    await seedExperiment(stored.database);
    const run = runId('example-1', 'frozen', 1);
    await finishRun(stored.database, run);
    await stored.database.query(
      `insert into checkpoint_scores (run_id, round, checkpoint, zero_variance_share, policy_entropy, dwelling, indifference)
       values ($1, 1, 'round', 0.75, 1.5, 0.25, 0.875)`,
      [run],
    );
    const [easy, hard] = [
      { weight: 3, success: 1 },
      { weight: 1, success: 0.5 },
    ];
    for (const [position, { weight, success }] of [easy, hard].entries()) {
      for (const panel of ['train', 'test']) {
        await stored.database.query(
          `insert into evaluations (run_id, round, checkpoint, panel, position, name, simulator_hash, reference_hash, weight,
                                    episodes, return_mean, return_std, length_mean, success_rate)
           values ($1, 1, 'round', $2, $3, 'x', 'f00d', 'r', $4, 10, 0, 0, 25, $5)`,
          [run, panel, position, weight, panel === 'train' ? success : 0],
        );
      }
    }
    const trainSuccess = (easy.weight * easy.success + hard.weight * hard.success) / (easy.weight + hard.weight);
    expect(await listCurveRows(stored.database, 'example-1')).toMatchObject([
      { trainSuccess, zeroVarianceShare: 0.75, policyEntropy: 1.5, dwelling: 0.25, indifference: 0.875 },
    ]);
  });

  it('are printed by `results --curve`, NaN as text', async () => {
    await seedExperiment(stored.database);
    const run = runId('example-1', 'pool', 0);
    await finishRun(stored.database, run);
    await evaluateOnTheWay(run);
    const { stdout } = await stored.thaw('results', 'example-1', '--curve', '-o', 'json');
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows[0]).toHaveProperty('policy_entropy', null);
    expect(rows.map(({ round, env_steps, heldout_return }) => [round, env_steps, heldout_return])).toEqual([
      [0, 0, -13],
      [1, 1000, 'NaN'],
    ]);
  });
});

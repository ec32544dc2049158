import { describe, expect, it } from 'vitest';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { listSimulatorReturns } from '../../infra/postgres/simulator-return-rows.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const stored = useStoredCommandLine();
const ID = 'example-1';
const RUN = runId(ID, 'frozen', 1);

/** Of every run its test simulator `far`, and of one run two members of its pool and an evaluation on the way. */
async function evaluated(): Promise<void> {
  const { variants, seeds } = await seedExperiment(stored.database);
  for (const variant of Object.keys(variants)) {
    for (const seed of seeds)
      await finishRun(stored.database, runId(ID, variant, seed), { lastReturn: -10 - seed / 3 });
  }
  for (const [position, name] of ['zero', 'left'].entries()) {
    for (const checkpoint of ['last', 'round']) {
      await stored.database.query(
        `insert into evaluations (run_id, round, checkpoint, panel, position, name, simulator_hash, reference_hash, weight,
                                  episodes, return_mean, return_std, length_mean, success_rate)
         values ($1, 1, $2, 'train', $3, $4, 'f00d', 'r', 1, 7, $5, $6, 25, 0)`,
        [RUN, checkpoint, position, name, -1 / 3, NaN],
      );
    }
  }
}

const far = (variant: string, seed: number) => ({
  ...{ variant, seed, panel: 'test', simulator: 'far', simulatorHash: expect.any(String), checkpoint: 'last' },
  ...{ episodes: 2, returnMean: (-12 + (-10 - seed / 3)) / 2, returnStd: 1 },
});
const train = (simulator: string) => ({
  ...{ variant: 'frozen', seed: 1, panel: 'train', simulator, simulatorHash: 'f00d', checkpoint: 'last' },
  ...{ episodes: 7, returnMean: -1 / 3, returnStd: NaN },
});
const TEST_ROWS = [far('frozen', 0), far('frozen', 1), far('pool', 0), far('pool', 1)];

describe('what runs got on single simulators', () => {
  it('is told of their last evaluation, run by run, panel by panel, to the last bit', async () => {
    await evaluated();
    const [first, ...others] = TEST_ROWS;
    const expected = [first, train('zero'), train('left'), ...others];
    expect(await listSimulatorReturns(stored.database, ID, null)).toEqual(expected);
    expect(await listSimulatorReturns(stored.database, ID, 'test')).toEqual(TEST_ROWS);
    expect(await listSimulatorReturns(stored.database, ID, 'validation')).toEqual([]);
  });

  it('is of a SKIPPED run what the run that it is equal to got', async () => {
    await evaluated();
    await seedExperiment(stored.database, { id: 'again', overrides: ['name=again'] });
    expect(await listSimulatorReturns(stored.database, 'again', 'test')).toEqual(TEST_ROWS);
  });

  it('is printed by `results --per simulator`, of one panel where that is named', async () => {
    await evaluated();
    const print = async (...args: string[]) => (await stored.thaw('results', ID, ...args)).stdout;
    const json = JSON.parse(await print('--per', 'simulator', '-o', 'json')) as Record<string, unknown>[];
    expect(json).toHaveLength(TEST_ROWS.length + 2);
    expect(json[1]).toEqual({
      ...{ variant: 'frozen', seed: 1, panel: 'train', simulator: 'zero', checkpoint: 'last', episodes: 7 },
      ...{ return_mean: -1 / 3, return_std: 'NaN' },
    });
    const csv = (await print('--per', 'simulator', '--panel', 'test', '-o', 'csv')).trimEnd().split('\r\n');
    expect(csv.slice(0, 2)).toEqual([
      'variant,seed,panel,simulator,checkpoint,episodes,return_mean,return_std',
      `frozen,0,test,far,last,2,${TEST_ROWS[0]!.returnMean},1`,
    ]);
    expect(csv).toHaveLength(1 + TEST_ROWS.length);
    // A panel alone can only mean its simulators.
    expect(await print('--panel', 'test', '-o', 'csv')).toBe(
      await print('--per', 'simulator', '--panel', 'test', '-o', 'csv'),
    );
    expect(await print('--per', 'simulator')).toContain('far');
  });
});

describe('the time that decisions took', () => {
  it('is a share of the time of all attempts that ended, lost ones too, and of none it is unknown', async () => {
    await seedExperiment(stored.database);
    const seconds = [
      ['adapt_pool', 1],
      ['train_round', 4],
      ['adapt_pool', 0.5],
      ['finish_run', 2.5],
      ['train_round', null],
    ] as const;
    for (const [number, [kind, took]] of seconds.entries()) {
      await stored.database.query(
        `insert into attempts (run_id, number, kind, round, worker, fingerprint, started_at, ended_at)
         values ($1, $2, $3, 0, 'w', '{}', now(), now() + make_interval(secs => $4::double precision))`,
        [RUN, number + 1, kind, took],
      );
    }
    const rows = await listResultRows(stored.database, ID);
    const total = seconds.reduce((sum, [, took]) => sum + (took ?? 0), 0);
    const deciding = seconds.reduce((sum, [kind, took]) => sum + (kind === 'adapt_pool' ? took : 0), 0);
    const share = (variant: string, seed: number) =>
      rows.find((row) => row.variant === variant && row.seed === seed)!.adaptWallShare;
    expect(share('frozen', 1)).toBeCloseTo(deciding / total, 9);
    expect(share('pool', 0)).toBeNull();
  });
});

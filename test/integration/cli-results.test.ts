import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadResults } from '../../cli/results/show-results.ts';
import { columnsOf } from '../../learning/results/result-summary.ts';
import { resultsDocument } from '../../learning/results/results-document.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { findExperiment, runId } from '../../infra/postgres/experiment-rows.ts';
import { listPolicies, listResultRows } from '../../infra/postgres/result-rows.ts';
import { setRunState } from '../../infra/postgres/run-rows.ts';
import { thaw } from '../support/command-line.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { scores } from '../support/result-row.ts';
import { finishRun, seedExperiment, type Story } from '../support/seeded-experiment.ts';

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await startTestPostgres()));
afterAll(() => postgres.stop());

/** A database with the example experiment, all of whose runs are finished in the same way. */
async function finished(story: Story = {}, id = 'example-1'): Promise<{ database: Database; id: string }> {
  const { database } = await postgres.createDatabase();
  const { variants, seeds } = await seedExperiment(database, { id });
  for (const variant of Object.keys(variants)) {
    for (const seed of seeds) await finishRun(database, runId(id, variant, seed), story);
  }
  return { database, id };
}

const digestOf = async (story: Story, id?: string): Promise<string> => {
  const stored = await finished(story, id);
  return deterministicDigest(stored.database, stored.id);
};

describe('the digest of an experiment', () => {
  it('is the same whatever happened on the way, and whatever the experiment is called', async () => {
    const undisturbed = await digestOf({});
    const disturbed = await digestOf({ lostAttempts: 2, wallS: 99, peakRssMib: 777 }, 'another-id');
    expect(disturbed).toBe(undisturbed);
  });

  it('differs in the last bit of one episode, in one visit, and where NaN stands for a number', async () => {
    const digests = await Promise.all([
      digestOf({}),
      digestOf({ lastReturn: -10 - 2 * Number.EPSILON * 8 }),
      digestOf({ relativeGap: NaN }),
      digestOf({ visits: 21 }),
    ]);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('differs while a run is not over', async () => {
    const { database } = await postgres.createDatabase();
    await seedExperiment(database);
    const before = await deterministicDigest(database, 'example-1');
    await finishRun(database, runId('example-1', 'pool', 0));
    expect(await deterministicDigest(database, 'example-1')).not.toBe(before);
  });
});

describe('result rows', () => {
  it('[P72] are one for every run whatever its state, in the order of the spec, with NaN as it is', async () => {
    const { database } = await postgres.createDatabase();
    const { variants, seeds } = await seedExperiment(database);
    await finishRun(database, runId('example-1', 'frozen', 1), { relativeGap: NaN, lostAttempts: 1, wallS: 7 });
    await setRunState(database, runId('example-1', 'pool', 0), 'FAILED', 'broken');
    const rows = await listResultRows(database, 'example-1');
    expect(rows.map(({ variant, seed, state }) => [variant, seed, state])).toEqual([
      ['frozen', 0, 'QUEUED'],
      ['frozen', 1, 'SUCCEEDED'],
      ['pool', 0, 'FAILED'],
      ['pool', 1, 'QUEUED'],
    ]);
    expect(rows).toHaveLength(Object.keys(variants).length * seeds.length);
    const expected = scores({ relativeGap: NaN, verdict: 'untrained' });
    expect(rows[1]).toMatchObject({ attempts: 2, wallS: 7, bestRound: 1, last: expected, best: expected });
    expect(rows[2]).toMatchObject({ reason: 'broken', last: null, best: null, peakRssMib: null });
  });

  it('hold what is asked for, and nothing of what only other columns need', async () => {
    const { database, id } = await finished();
    const all = await listResultRows(database, id);
    const some = await listResultRows(database, id, 'last', columnsOf(['relative_gap']));
    for (const [index, row] of some.entries()) {
      const { relativeGap, trainGain, heldoutGain, verdict } = all[index]!.last!;
      expect(row.last).toMatchObject({ relativeGap, trainGain, heldoutGain, verdict, heldoutReturn: null });
      expect(row).toMatchObject({ state: 'SUCCEEDED', costs: null, best: null });
    }
    expect(some).toHaveLength(all.length);
    const [best] = await listResultRows(database, id, 'last', columnsOf(['best_heldout_return']));
    expect(best!.best!.heldoutReturn).toBe(all[0]!.best!.heldoutReturn);
  });

  it('of a SKIPPED run are those of the run it is equal to', async () => {
    const { database, id } = await finished();
    await seedExperiment(database, { id: 'again', overrides: ['name=again'] });
    const [first, again] = await Promise.all([listResultRows(database, id), listResultRows(database, 'again')]);
    expect(again.map(({ state }) => state)).toEqual(first.map(() => 'SKIPPED'));
    expect(again.map(({ last, envSteps }) => ({ last, envSteps }))).toEqual(
      first.map(({ last, envSteps }) => ({ last, envSteps })),
    );
    expect((await listPolicies(database, 'again'))[0]).toEqual({
      variant: 'frozen',
      seed: 0,
      group: '0',
      hash: 'beef',
    });
  });

  it('become a document that says which experiment it is and carries the digest', async () => {
    const { database, id } = await finished();
    const results = await loadResults(database, await findExperiment(database, id), { digest: true });
    expect(resultsDocument(results, 'relative_gap')).toMatchObject({
      experiment: { id, name: 'example', rows_sha256: await deterministicDigest(database, id) },
      metric: 'relative_gap',
      variants: [
        { variant: 'frozen', n: 2, n_expected: 2, relative_gap: { mean: 0.5, ci95: null, untrained: 0 } },
        { variant: 'pool', n: 2, n_expected: 2 },
      ],
    });
  });
});

describe('`thaw results`', () => {
  it('narrows, sorts, shapes, and writes for programs and for papers', async () => {
    const { database, url } = await postgres.createDatabase();
    const { variants, seeds } = await seedExperiment(database);
    for (const seed of seeds) await finishRun(database, runId('example-1', 'pool', seed), { relativeGap: NaN });
    await database.query(
      `insert into checkpoint_scores (run_id, round, checkpoint, heldout_return) values ($1, 5, 'round', -7.123456789)`,
      [runId('example-1', 'pool', 0)],
    );
    const run = (...args: string[]) => thaw(['results', 'example-1', ...args], { THAW_DATABASE_URL: url });
    const printed = async (...args: string[]) => (await run(...args)).stdout.trimEnd().split(/\r?\n/);

    expect(
      await printed(
        '--where',
        'variant=pool*',
        '--sort',
        '-seed',
        '--columns',
        'heldout_return,relative_gap',
        '-o',
        'csv',
      ),
    ).toEqual(['variant,seed,heldout_return,relative_gap', 'pool,1,-11,NaN', 'pool,0,-11,NaN']);

    expect((await run('--wide', '--round', '5', '-o', 'csv')).stdout).toBe(
      'seed,frozen,pool\r\n0,,-7.123456789\r\n1,,\r\n',
    );

    const latex = await printed('--fold', '--metric', 'heldout_return,relative_gap', '-o', 'latex');
    expect(latex).toContain('pool & 2/2 & $-11 \\pm 0$ & NaN \\\\');
    expect(latex).toContain('frozen & 0/2 & -- & -- \\\\');

    const json = JSON.parse((await run('--long', '--where', 'relative_gap=NaN', '-o', 'json')).stdout) as {
      experiment: { state: unknown };
      rows: unknown[];
    };
    expect(json.experiment.state).toEqual({ QUEUED: seeds.length * (Object.keys(variants).length - 1), SUCCEEDED: 2 });
    expect(json.rows).toEqual(
      seeds.map((seed) => ({ variant: 'pool', seed, state: 'SUCCEEDED', metric: 'heldout_return', value: -11 })),
    );

    const simulators = await printed('--per', 'simulator', '--fold', '-o', 'csv');
    expect(simulators).toEqual([
      'variant,panel,simulator,n,mean,std,iqm,median,ci95_low,ci95_high',
      'pool,test,far,2,-11,0,-11,-11,,',
    ]);

    const unknown = await run('--round', '7');
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('after 7 completed rounds. Evaluated: 5.');
  });
});

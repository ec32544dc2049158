import { expect, test } from 'vitest';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listLeaderboardRuns } from '../../infra/postgres/leaderboard-rows.ts';
import { testPanelHash } from '../../specification/test-panel.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const stored = useStoredCommandLine();

const SEEDS = 6;
/** By how much a run of each variant is above −20 on the test panel. */
const ABOVE = { frozen: [0, 0.5, 1, 0.25, 0.75, 0.1], pool: [4, 5, 4.5, 4.25, 5.5, 4.75] };
const means = { frozen: -20 + 2.6 / SEEDS, pool: -20 + 28 / SEEDS };

/** Two experiments: all runs of the first are measured, and of the second one run, which is equal to none of these. */
async function seedBoth(): Promise<string> {
  const { database } = stored;
  const { variants } = await seedExperiment(database, { overrides: ['seeds=[0,1,2,3,4,5]'] });
  for (const [variant, above] of Object.entries(ABOVE)) {
    for (const [seed, value] of above.entries()) await finishMeasured(runId('example-1', variant, seed), -20 + value);
  }
  await seedExperiment(database, { id: 'longer', overrides: ['name=longer', 'budget.env_steps=128000'] });
  await finishMeasured(runId('longer', 'pool', 0), NaN);
  return testPanelHash(variants['pool']!)!;
}

async function finishMeasured(id: string, heldoutReturn: number): Promise<void> {
  await finishRun(stored.database, id);
  await stored.database.query('update checkpoint_scores set heldout_return = $2 where run_id = $1', [
    id,
    heldoutReturn,
  ]);
}

test('variants are compared in numbers and in words, within an experiment and across several', async () => {
  const hash = await seedBoth();
  const one = await stored.thaw('compare', 'example-1', '-o', 'json');
  const document = JSON.parse(one.stdout);
  expect(document).toMatchObject({
    experiments: [{ id: 'example-1' }],
    metric: 'heldout_return',
    baseline: 'frozen',
    variants: [
      { name: 'frozen', n: SEEDS, n_expected: SEEDS },
      { name: 'pool', n: SEEDS },
    ],
    pairs: [
      { first: 'pool', second: 'frozen', seeds: SEEDS, probability_of_improvement: 1, wilcoxon_p: 2 / 2 ** SEEDS },
    ],
    warnings: [],
  });
  expect(document.pairs[0].difference).toBeCloseTo(means.pool - means.frozen, 9);

  const several = await stored.thaw('compare', 'example-1', 'longer', '--baseline', 'example/pool');
  expect(several.stdout).toContain('heldout_return of example-1, longer, all against example/pool');
  const lower = (means.pool - means.frozen).toFixed(2);
  expect(several.stdout).toContain(`example/frozen is worse than example/pool: heldout_return lower by ${lower} [`);
  expect(several.stdout).toContain(
    'longer/frozen and example/pool cannot be compared: longer/frozen has no heldout_return.',
  );
  expect(several.stdout).toMatch(
    /Beware: Not equal are env steps: 100000 \(example\/frozen, example\/pool\); 128000 \(/,
  );
  expect(several.stdout).toMatch(/Beware: Runs whose heldout_return is NaN, .*: longer\/pool 1\./);

  const profile = await stored.thaw('compare', 'example-1', '--profile', '-o', 'csv');
  const shares = profile.stdout.trimEnd().split('\r\n').slice(1);
  expect(shares[0]).toMatch(/,1,1$/);
  expect(shares.at(-1)).toMatch(/,0,0$/);

  const unknown = await stored.thaw('compare', 'example-1', '--baseline', 'pol');
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean pool?')]);

  // The leaderboard ranks the same runs by their test panel, in the same database.
  const runs = await listLeaderboardRuns(stored.database, { family: 'simple_spread' });
  expect(runs).toHaveLength(2 * SEEDS + 1);
  expect(new Set(runs.map(({ panelHash }) => panelHash))).toEqual(new Set([hash]));
  const ranked = await stored.thaw('leaderboard', '--panel', hash.slice(0, 10), '-o', 'json');
  const entries = JSON.parse(ranked.stdout);
  expect(entries).toMatchObject([
    { rank: 1, variant: 'example/pool', source: 'stored', n: SEEDS, panel: hash },
    { rank: 2, variant: 'example/frozen', n: SEEDS },
    { rank: 3, variant: 'longer/pool', n: 1, heldout_return: 'NaN', heldout_return_ci95_low: null },
  ]);
  expect(entries[0].heldout_return).toBeCloseTo(means.pool, 9);
  const all = await stored.thaw('leaderboard', '--family', 'simple_spread', '--top', '2');
  expect(all.stdout.split('\n\n')[0]).toContain(`test panel ${hash.slice(0, 12)}`);
  expect(all.stdout).toContain('baseline');
  const nowhere = await stored.thaw('leaderboard', '--panel', 'ffff');
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([2, expect.stringContaining('no test panel "ffff"')]);
});

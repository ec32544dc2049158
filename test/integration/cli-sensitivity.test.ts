import { describe, expect, it } from 'vitest';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { insertSensitivities, listSensitivities } from '../../infra/postgres/sensitivity-rows.ts';
import type { SensitivityRow } from '../../learning/measures/sensitivity.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const stored = useStoredCommandLine();

const ROWS: readonly SensitivityRow[] = [
  { kind: 'rule', name: 'rules.mass', factor: 0.95, episodes: 50, returnMean: -10 / 3, loss: 0.1 + 0.2, isCliff: true },
  { kind: 'rule', name: 'rules.mass', factor: 1.2, episodes: 50, returnMean: -9, loss: NaN, isCliff: null },
  { kind: 'partner', name: 'noop', factor: null, episodes: 50, returnMean: -12, loss: -0.5, isCliff: null },
];

/** The example experiment, whose runs are all finished and have measured the same. */
async function measured(): Promise<void> {
  const { variants, seeds } = await seedExperiment(stored.database);
  for (const variant of Object.keys(variants)) {
    for (const seed of seeds) {
      const id = runId('example-1', variant, seed);
      await finishRun(stored.database, id);
      await insertSensitivities(stored.database, id, ROWS);
    }
  }
}

const CELLS = [
  { variant: 'frozen', seed: 0 },
  { variant: 'frozen', seed: 1 },
  { variant: 'pool', seed: 0 },
  { variant: 'pool', seed: 1 },
];

describe('what the last policies of an experiment depend on', () => {
  it('is told of every run that has measured it, variant by variant, rules before partners, to the last bit', async () => {
    await measured();
    const expected = CELLS.flatMap((cell) => ROWS.map((row) => ({ ...cell, ...row })));
    expect(await listSensitivities(stored.database, 'example-1')).toEqual(expected);
  });

  it('is stored once however often it is stored', async () => {
    await measured();
    const [row] = ROWS;
    await insertSensitivities(stored.database, runId('example-1', 'pool', 0), [{ ...row!, loss: 7 }]);
    const rows = await listSensitivities(stored.database, 'example-1');
    expect(rows).toHaveLength(CELLS.length * ROWS.length);
    expect(rows.filter(({ loss }) => loss === 7)).toEqual([]);
  });

  it('is of a SKIPPED run what the run that it is equal to has measured', async () => {
    await measured();
    await seedExperiment(stored.database, { id: 'again', overrides: ['name=again'] });
    expect(await listSensitivities(stored.database, 'again')).toEqual(
      await listSensitivities(stored.database, 'example-1'),
    );
  });

  it('is printed by `results --sensitivity`: a table to read, and every run in full precision', async () => {
    await measured();
    const print = (...args: string[]) => stored.thaw('results', 'example-1', '--sensitivity', ...args);
    const table = await print();
    expect(table).toMatchObject({ exitCode: 0 });
    expect(table.stdout).toContain('cliff 2/2, 0.30 (-3.33)');
    const json = JSON.parse((await print('-o', 'json')).stdout) as Record<string, unknown>[];
    expect(json).toHaveLength(CELLS.length * ROWS.length);
    expect(json.slice(0, 2)).toMatchObject([
      { variant: 'frozen', seed: 0, kind: 'rule', name: 'rules.mass', factor: 0.95, loss: 0.1 + 0.2, is_cliff: true },
      { return_mean: -9, loss: 'NaN', is_cliff: null },
    ]);
    const csv = (await print('-o', 'csv')).stdout.trimEnd().split('\r\n');
    expect(csv).toHaveLength(1 + CELLS.length * ROWS.length);
    expect(csv[2]).toBe('frozen,0,rule,rules.mass,1.2,50,-9,NaN,');
  });
});

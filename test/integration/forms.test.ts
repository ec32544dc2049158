import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT } from '../../cli/errors/exit-codes.ts';
import { thaw } from '../support/command-line.ts';
import { type HomeOfTests, startHomeOfTests } from '../support/home-of-tests.ts';

// The two forms as their authors wrote them, by the built program with a worker and services of its own; only less of them.

let folder: string;
let home: HomeOfTests;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-forms-'));
  home = await startHomeOfTests();
});
afterAll(async () => {
  await home.end();
  rmSync(folder, { recursive: true });
});

interface Shown {
  readonly resolved: { readonly variants: Readonly<Record<string, { readonly algorithm: { readonly name: string } }>> };
}

const SMALLER = [
  ...['budget.rounds=2', 'budget.env_steps=800', 'algorithm.parallel_environments=8'],
  ...['evaluation.episodes=2', 'evaluation.final_episodes=2', 'execution.device=cpu'],
];

it.each([
  { file: 'batch-form.json', algorithm: 'maddpg', variants: ['sim_a', 'sim_b', 'sim_c'] },
  { file: 'pool-form.json', algorithm: 'ippo', variants: ['pool'] },
])('$file is trained with its algorithm to the end, and gives its table', async ({ file, algorithm, variants }) => {
  const output = path.join(folder, path.basename(file, '.json'));
  const settings = [...SMALLER, `output_dir=${output}`].flatMap((setting) => ['--set', setting]);
  const env = { THAW_HOME: home.session.configuration.home };
  expect(await thaw(['run', `experiments/forms/${file}`, ...settings], env)).toMatchObject({ exitCode: EXIT.done });
  const { resolved } = JSON.parse((await thaw(['get', '@latest', '-o', 'json'], env)).stdout) as Shown;
  expect(Object.values(resolved.variants).map((variant) => variant.algorithm.name)).toEqual(
    variants.map(() => algorithm),
  );
  const { stdout } = await thaw(['results', '@latest', '-o', 'json'], env);
  const { rows } = JSON.parse(stdout) as { readonly rows: readonly Record<string, unknown>[] };
  expect(rows.map(({ variant }) => variant)).toEqual(variants);
  for (const row of rows) {
    expect(row).toMatchObject({ state: 'SUCCEEDED', heldout_return: expect.any(Number) });
  }
  expect(existsSync(output)).toBe(true);
});

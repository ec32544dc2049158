import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT } from '../../cli/errors/exit-codes.ts';
import { thaw } from '../support/command-line.ts';
import { type HomeOfTests, startHomeOfTests } from '../support/home-of-tests.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

// The example of dm_control, word for word as its guide has it, to its end.

const GUIDE = readFileSync('docs/guides/python-environments.md', 'utf8');
const section = GUIDE.slice(GUIDE.indexOf('## dm_control'), GUIDE.indexOf('## PySC2'));
const block = (language: string): string => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(section)![1]!;

const before = { ...process.env };
let folder: string;
let home: HomeOfTests;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-slow-'));
  process.env['THAW_PYTHON'] = (await pythonEnvironment('physics')).interpreter;
  process.env['PYTHONPATH'] = folder;
  writeFileSync(path.join(folder, 'my_worlds.py'), block('python'));
  writeFileSync(path.join(folder, 'dm-cartpole.json'), block('json'));
  home = await startHomeOfTests();
}, 1_800_000);
afterAll(async () => {
  await home.end();
  process.env = before;
  rmSync(folder, { recursive: true });
});

it('dm_control as the guide has it learns something, in every simulator', async () => {
  const { THAW_PYTHON = '', PYTHONPATH = '' } = process.env;
  const env = { THAW_HOME: home.session.configuration.home, THAW_PYTHON, PYTHONPATH };
  const ran = await thaw(['run', path.join(folder, 'dm-cartpole.json')], env);
  expect(ran.exitCode, ran.stderr).toBe(EXIT.done);
  const { stdout } = await thaw(['results', '@latest', '-o', 'json'], env);
  const { rows } = JSON.parse(stdout) as { rows: { train_return: number; heldout_return: number }[] };
  expect(rows).toHaveLength(2);
  // Chance returns about 350 of 1000.
  expect(Math.max(...rows.map((row) => row.heldout_return))).toBeGreaterThan(700);
}, 1_200_000);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT } from '../../cli/errors/exit-codes.ts';
import { thaw } from '../support/command-line.ts';
import { type HomeOfTests, startHomeOfTests } from '../support/home-of-tests.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

// Trainers of libraries that take gigabytes, each to its end in two short rounds: the second goes on from the first.

const SETTINGS = {
  variants: { pool: { strategy: { kind: 'pool', size: 3 } } },
  seeds: [0],
  budget: { env_steps: 12_800, rounds: 2 },
  evaluation: { every_rounds: 1, episodes: 4, final_episodes: 8 },
};

let folder: string;
let python: string;
let home: HomeOfTests;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-slow-'));
  python = (await pythonEnvironment('slow')).interpreter;
  home = await startHomeOfTests();
}, 1_800_000);
afterAll(async () => {
  await home.end();
  rmSync(folder, { recursive: true });
});

it.each(['pytorch', 'sb3'])(
  '%s trains, and its policies have a row with a verdict',
  async (library) => {
    const env = { THAW_HOME: home.session.configuration.home };
    const changes = {
      ...SETTINGS,
      'trainer.command': [python, 'train.py'],
      output_dir: path.join(folder, library),
    };
    const sets = Object.entries(changes).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]);
    const ran = await thaw(['run', `experiments/trainers/${library}/spread.json`, ...sets], env);
    expect(ran.exitCode, ran.stderr).toBe(EXIT.done);
    const { stdout } = await thaw(['results', '@latest', '-o', 'json'], env);
    const { rows } = JSON.parse(stdout) as { rows: object[] };
    expect(rows).toMatchObject([
      { state: 'SUCCEEDED', attempts: expect.any(Number), env_steps: 12_800, verdict: expect.stringMatching(/\w/) },
    ]);
  },
  600_000,
);

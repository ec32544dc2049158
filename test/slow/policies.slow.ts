import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../cli/errors/exit-codes.ts';
import { installationRoot } from '../../infra/installation.ts';
import { thaw } from '../support/command-line.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

// From training to the verdict: programs that know nothing of Thaw train on MPE2 and export, and `thaw evaluate` judges.

const execute = promisify(execFile);
const PANEL = 'experiments/panels/spread.json';

type Row = Readonly<Record<string, unknown>>;

interface Document {
  readonly scores: Readonly<Record<string, number>> & { readonly verdict: string };
  readonly simulators: readonly (Row & { readonly return_mean: number; readonly random_return: number })[];
  readonly sensitivity: readonly (Row & { readonly return_mean: number })[];
  readonly policies: readonly Row[];
}

let folder: string;
let python: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-policies-'));
  python = (await pythonEnvironment('slow')).interpreter;
}, 1_800_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['pytorch', 'sb3'])('a policy that %s trained on MPE2', (library) => {
  let file: string;
  let judged: Document;
  beforeAll(async () => {
    file = path.join(folder, `${library}.onnx`);
    const program = path.join(installationRoot(), `experiments/policies/${library}.py`);
    const { PATH = '' } = process.env;
    await execute(python, [program, file], { cwd: folder, env: { PATH, HOME: folder, TMPDIR: folder } });
    const { exitCode, stdout, stderr } = await thaw(['evaluate', '--policy', file, '--panel', PANEL, '-o', 'json']);
    expect(exitCode, stderr).toBe(EXIT.done);
    judged = JSON.parse(stdout) as Document;
  }, 1_200_000);

  it('plays all seats of the world as it knows it, far better than chance', () => {
    expect(judged.policies).toMatchObject([{ file, role: 'agent', gives: 'distribution' }]);
    const [base] = judged.simulators;
    expect(base).toMatchObject({ panel: 'train', simulator: 'base' });
    // Chance gets about −80 here, with a standard error of 1.4 over 320 episodes.
    expect(base!.return_mean - base!.random_return).toBeGreaterThan(10);
  });

  it('has a verdict, which follows from the returns that it was given', () => {
    const { train_gain: train, heldout_gain: heldout, relative_gap: gap } = judged.scores;
    expect(gap).toBeCloseTo(1 - heldout! / train!, 10);
    const expected = gap! < 0.1 ? 'healthy' : gap! > 0.2 ? 'collapsed' : 'watch';
    expect(judged.scores.verdict).toBe(expected);
  });

  it('has a perturbation curve: it depends on the physics that it was trained with', () => {
    const returns = judged.sensitivity.map(({ return_mean: mean }) => mean);
    expect(returns.every(Number.isFinite)).toBe(true);
    expect(new Set(returns).size).toBeGreaterThan(10);
  });
});

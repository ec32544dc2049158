import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installationRoot } from '../../infra/installation.ts';
import { thaw } from '../support/command-line.ts';
import { resolveDocument, specDocument } from '../support/spec-document.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-distances-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file of the valid document in which the test simulator is all but the training simulator "left". */
function writeSpec(change: object = {}): string {
  const document = specDocument();
  const far = { ...document.simulators.left, rules: { damping: 0.2501 } };
  const file = path.join(folder, 'close.json');
  writeFileSync(file, JSON.stringify({ ...document, simulators: { ...document.simulators, far }, ...change }));
  return file;
}

interface Matrix {
  readonly simulators: readonly string[];
  readonly metrics: Readonly<Record<string, { readonly distances: number[][]; readonly floors: number[] }>>;
  readonly close: readonly (readonly string[])[];
}

describe('thaw simulators distance', () => {
  it('prints symmetric matrices with zeros, floors and the close pairs of a file that validate refuses', async () => {
    const file = writeSpec();
    expect((await thaw(['validate', file])).exitCode).toBe(2);
    const { exitCode, stdout } = await thaw(['simulators', 'distance', file, '-o', 'json']);
    expect(exitCode).toBe(0);
    const { simulators, metrics, close } = JSON.parse(stdout) as Matrix;
    expect(simulators.toSorted()).toEqual(['far', 'left', 'top', 'zero']);
    expect(Object.keys(metrics)).toEqual(['trajectory_kl', 'state_visitation', 'reward_distribution']);
    for (const { distances, floors } of Object.values(metrics)) {
      expect(floors).toHaveLength(simulators.length);
      expect(distances).toEqual(distances.map((row, at) => row.map((_, column) => distances[column]![at]!)));
      expect(distances.map((row, at) => row[at])).toEqual(simulators.map(() => 0));
    }
    expect(close).toEqual([['left', 'far']]);
  });

  it('prints a table of the catalogue of a family, whatever its options', async () => {
    const args = ['simulators', 'distance', '--family', 'simple_spread', '--options', '{"agents": 2}'];
    const { exitCode, stdout } = await thaw(args);
    expect(exitCode).toBe(0);
    for (const words of ['trajectory_kl', '1 base', 'floor', 'base – noisy']) expect(stdout).toContain(words);
  });

  it('of a file that is wrong otherwise tells what is wrong', async () => {
    const { exitCode, stderr } = await thaw(['simulators', 'distance', writeSpec({ learners: [7] })]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('learners[0]');
  });
});

it('validate tells which pairs a waiver lets pass, and why', async () => {
  const { exitCode, stderr } = await thaw(['validate', writeSpec({ diversity: { waiver: 'a study of damping' } })]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/waived \(a study of damping\): "far" is close to "left": trajectory_kl/);
});

it('thaw simulators perturbed prints simulators that a spec takes as they are', async () => {
  const args = ['simulators', 'perturbed', 'partner_left', '--options', '{"agents": 2}', '--scales', '0.5,2'];
  const { exitCode, stdout } = await thaw(args);
  expect(exitCode).toBe(0);
  const panel = JSON.parse(stdout) as Record<string, { rules: Record<string, number> }>;
  expect(panel['partner_left-damping-2']!.rules).toEqual({ damping: 0.5 });
  const document = specDocument();
  const simulators = { ...document.simulators, ...panel };
  const panels = { ...document.panels, test: ['partner_left-damping-2'] };
  expect(resolveDocument({ ...document, simulators, panels })).toMatchObject({ ok: true });
  expect((await thaw(['simulators', 'perturbed', 'base', '--scales', '0'])).exitCode).toBe(2);
});

describe('thaw simulators returns', () => {
  it('tells for every simulator of a file what chance and the scripted reference get', async () => {
    const file = path.join(installationRoot(), 'experiments/tag.json');
    const { exitCode, stdout } = await thaw(['simulators', 'returns', file, '-o', 'json']);
    expect(exitCode).toBe(0);
    const rows = JSON.parse(stdout) as { simulator: string; panels: string; random: number; scripted: number }[];
    const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Record<string, string[]> };
    for (const [panel, names] of Object.entries(panels)) {
      const found = rows.filter((row) => row.panels === panel).map((row) => row.simulator);
      expect(found.sort()).toEqual(names.toSorted());
    }
    for (const { random, scripted } of rows) expect(scripted).toBeGreaterThan(random);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inPrivateHome } from '../../cli/bench/private-home.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readModel } from '../../infra/onnx/read-model.ts';
import { thaw } from '../support/command-line.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

// Recordings from a file to a table: recorded, imported, imitated, trained against, exported, moved to another home.

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-recordings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EPISODES = 60;
const SOURCE = 'https://example.org/foragers';
const CLAIMS = ['--source', SOURCE, '--licence', 'CC-BY-4.0', '--personal-data', 'removed'];

const place = (name: string) => path.join(folder, name);

/** A file with scripted episodes: seat 1 goes to its nearest food, seat 0 acts at random. */
async function record(name: string): Promise<string> {
  const rollout = ['rollout', '--family', 'foraging', '--simulator', 'partner_nearest', '--random'];
  const { exitCode, stdout, stderr } = await thaw([...rollout, '--episodes', String(EPISODES)]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  writeFileSync(place(name), stdout);
  return place(name);
}

const importing = (file: string, ...more: string[]) =>
  ['import', 'trajectories', file, '--family', 'foraging', '--name', 'near', ...CLAIMS, ...more] as const;

interface Agreement {
  readonly accuracy: number;
  readonly log_likelihood: number;
}

interface Provenance {
  readonly import: string;
  readonly source: string;
  readonly licence: string;
  readonly personal_data: string;
  readonly content_hash: string;
  readonly starts: readonly { readonly name: string; readonly return: number }[];
  readonly partners: readonly {
    readonly seat: number;
    readonly sha256: string;
    readonly fitted: {
      readonly heldout_samples: number;
      readonly heldout: Agreement;
      readonly baseline: Agreement;
    };
  }[];
}

function writeSpec(): string {
  const document = {
    name: 'against-recorded',
    family: 'foraging',
    learners: [0],
    simulators: {
      imitated: { partners: { 1: { kind: 'policy', name: 'import:near/1' } } },
      recorded: {
        partners: { 1: { kind: 'scripted', name: 'nearest_food' } },
        scenarios: { start: 'import:near/partner_nearest-0-0@0' },
      },
    },
    panels: { train: ['imitated'], validation: ['recorded'], test: ['partner_idle'] },
    algorithm: { name: 'ippo', hidden_sizes: [16], parallel_environments: 8, rollout_steps: 50 },
    variants: { frozen: { strategy: { kind: 'frozen', simulator: 'imitated' } } },
    seeds: [0],
    budget: { env_steps: 800, rounds: 2 },
    evaluation: { every_rounds: 2, episodes: 2, final_episodes: 2 },
    output_dir: place('out'),
  };
  writeFileSync(place('spec.json'), JSON.stringify(document));
  return place('spec.json');
}

describe('a recording', () => {
  it('becomes a partner that imitates, an experiment runs against it to the end, and where it comes from goes with everything', async () => {
    const file = await record('recording.jsonl');
    const backup = place('backup');
    await inPrivateHome(async ({ configuration, database }) => {
      const env = { THAW_HOME: configuration.home };
      const json = async (...args: string[]) =>
        JSON.parse((await thaw([...args, '-o', 'json'], env)).stdout) as unknown;
      expect(await thaw(importing(file), env)).toMatchObject({ exitCode: 0, stderr: '' });
      const again = await thaw(importing(file), env);
      expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('there already') });
      expect((await database.query('select 1 from imports')).rows).toHaveLength(1);

      const made = (await json('import', 'show', 'near')) as Provenance;
      expect(made).toMatchObject({ source: SOURCE, licence: 'CC-BY-4.0', personal_data: 'removed' });
      expect(made.starts).toHaveLength(EPISODES);
      const [random, scripted] = made.partners.map(({ fitted }) => fitted);
      expect(scripted!.heldout_samples).toBeGreaterThan(100);
      expect(scripted!.heldout.accuracy).toBeGreaterThan(scripted!.baseline.accuracy + 0.1);
      expect(scripted!.heldout.log_likelihood).toBeGreaterThan(scripted!.baseline.log_likelihood + 0.3);
      // Nobody imitates chance, and the report does not claim it.
      expect(random!.heldout.log_likelihood).toBeLessThan(random!.baseline.log_likelihood + 0.05);

      const policy = await createFolderStore(configuration.artifacts).read(made.partners[1]!.sha256);
      const { metadata } = readModel(policy, 'the partner');
      expect(metadata.get('source')).toBe(SOURCE);
      expect(metadata.get('licence')).toBe('CC-BY-4.0');
      expect(metadata.get('personal_data')).toBe('removed');

      const spec = writeSpec();
      expect(await thaw(['validate', spec], env)).toMatchObject({ exitCode: 0, stderr: '' });
      const ran = await thaw(['run', spec], env);
      expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining('1 of 1 run done')]);
      const { rows } = await database.query('select id, state from runs');
      expect(rows).toEqual([expect.objectContaining({ state: 'SUCCEEDED' })]);
      const tree = await thaw(['simulators', rows[0]!['id'] as string], env);
      expect(tree.stdout).toMatch(/^import:near\/1 .*imported from https:\/\/example.org\/foragers \(CC-BY-4\.0\)$/m);
      expect(tree.stdout).toMatch(/^└─ imitated /m);
      const [life] = (await json('simulators', rows[0]!['id'] as string)) as { imports: string }[];
      expect(life!.imports).toBe('import:near/1');

      expect(await thaw(['export', 'against-recorded', place('export'), '--format', 'csv'], env)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('PROVENANCE.json'),
      });
      for (const where of ['export', 'out']) {
        const { imports } = JSON.parse(await readFile(path.join(place(where), 'PROVENANCE.json'), 'utf8')) as {
          imports: Provenance[];
        };
        expect(imports).toEqual([made]);
      }
      const kept = await thaw(['import', 'delete', 'near', '--yes'], env);
      expect(kept).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('against-recorded-') });
      expect(await thaw(['backup', backup], env)).toMatchObject({ exitCode: 0 });
    });
    await inPrivateHome(async ({ configuration, database }) => {
      const env = { THAW_HOME: configuration.home };
      expect(await thaw(['restore', backup], env)).toMatchObject({ exitCode: 0 });
      const listed = await thaw(['import', 'list'], env);
      expect(listed.stdout).toContain(SOURCE);
      const { rows } = await database.query('select artifact from import_partners');
      const store = createFolderStore(configuration.artifacts);
      for (const row of rows) expect(await store.flawOf(row['artifact'] as string)).toBeNull();
      expect(rows).toHaveLength(2);
      const [experiment] = (await database.query('select id from experiments')).rows;
      expect(await thaw(['delete', experiment!['id'] as string, '--yes'], env)).toMatchObject({ exitCode: 0 });
      expect(await thaw(['import', 'delete', 'near', '--yes'], env)).toMatchObject({ exitCode: 0 });
      expect(
        (await database.query('select 1 from import_starts union all select 1 from import_partners')).rows,
      ).toEqual([]);
    });
  }, 240_000);
});

describe('an import', () => {
  const stored = useStoredCommandLine();
  const rowsOf = async (table: string) => (await stored.database.query(`select * from ${table}`)).rows;

  it('is refused with everything that is wrong, and nothing is written', async () => {
    const file = await record('whole.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    const said = await stored.thaw('import', 'trajectories', file, '--family', 'foraging');
    expect(said).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/--name.*--source.*--licence.*--personal-data/s),
    });
    lines[3] = lines[3]!.replace('"step":3', '"step":9');
    lines[5] = '{}';
    writeFileSync(place('broken.jsonl'), lines.join('\n'));
    const broken = await stored.thaw(...importing(place('broken.jsonl')));
    expect(broken).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/line 4: step.*line 6: step/s) });
    const nobody = await stored.thaw(...importing(file, '--partners', '4'));
    expect(nobody).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('seats are 0 … 1') });
    const nothing = await stored.thaw(...importing(file, '--partners', 'none', '--starts', 'none'));
    expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nothing would come of it') });
    const missing = await stored.thaw(...importing(place('missing.jsonl')));
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('missing.jsonl') });
    expect(await rowsOf('imports').catch(() => [])).toEqual([]);
  });

  it('under a name in use, of the same under another name, or with another origin is a conflict', async () => {
    const file = await record('again.jsonl');
    const quick = ['--partners', 'none'];
    const first = await stored.thaw(...importing(file, ...quick));
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    const other = await stored.thaw(...importing(file, ...quick, '--starts', 'low:10'));
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('with other content') });
    const renamed = await stored.thaw(...importing(file, ...quick, '--name', 'far'));
    expect(renamed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('import:near') });
    const claimed = await stored.thaw(...importing(file, ...quick, '--licence', 'MIT'));
    expect(claimed).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('the licence "CC-BY-4.0", not "MIT"'),
    });
    expect(await rowsOf('imports')).toHaveLength(1);
    expect(await stored.thaw('list')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('import:near (60 starts'),
    });
    const catalogue = await stored.thaw('simulators', '--family', 'foraging');
    expect(catalogue).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('import:near') });
    expect(await stored.thaw('simulators', '--family', 'simple_tag')).toMatchObject({ stderr: '' });
    expect(await stored.thaw('import', 'delete', 'nearly', '--yes')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Did you mean near?'),
    });
    expect(await stored.thaw('import', 'delete', 'near', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await rowsOf('import_starts')).toEqual([]);
  });

  it('that nobody can be asked about leaves a spec valid, and it is said what was not checked', async () => {
    const spec = writeSpec();
    const env = { THAW_HOME: place('no-home') };
    const validated = await thaw(['validate', spec], env);
    expect(validated).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('valid') });
    expect(validated.stderr).toContain('not checked: import:near/1, import:near/partner_nearest-0-0@0');
    const known = await stored.thaw('list');
    expect(known.exitCode).toBe(0);
    const unknown = await stored.thaw('validate', spec);
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no import is called "near"') });
  });
});

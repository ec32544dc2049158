import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FileOutcome } from '../../cli/batch.ts';
import type { ServiceSession } from '../../cli/service-session.ts';
import { readSpecFiles, type ValidSpec } from '../../cli/spec-files.ts';
import { submitSpecs } from '../../cli/submission.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listExperiments } from '../../infra/postgres/experiment-list.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { parseDocument } from '../../specification/parse-document.ts';
import { committedDocuments } from '../support/committed-documents.ts';
import { thaw } from '../support/command-line.ts';
import { mutantOf } from '../support/mutate-spec.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { resolveDocument, specDocument } from '../support/spec-document.ts';

let folder: string;
const home = () => path.join(folder, 'home');
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'thaw-batches-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function writeText(name: string, content: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const writeSpec = (name: string, change: object = {}) =>
  writeText(`${name}.json`, JSON.stringify({ ...specDocument(), name: path.basename(name), ...change }));

async function submit(
  ...args: string[]
): Promise<{ exitCode: number | null; outcomes: FileOutcome[]; stderr: string }> {
  const { exitCode, stdout, stderr } = await thaw(['submit', '-o', 'json', ...args], { THAW_HOME: home() });
  return { exitCode, outcomes: JSON.parse(stdout) as FileOutcome[], stderr };
}

describe('files that are all wrong', () => {
  it('start nothing and leave no file, whatever is wrong with them: 300 damaged specs through the command line', async () => {
    const documents = committedDocuments().filter((document) => JSON.stringify(document).length < 1000);
    const refused: string[] = [];
    for (let index = 0; refused.length < 300; index += 1) {
      const { text } = mutantOf(documents, 2, index);
      const parsed = parseDocument(text);
      if (parsed.ok && resolveDocument(parsed.document).ok) continue;
      refused.push(writeText(`mutants/${refused.length}.json`, text));
    }
    for (let first = 0; first < refused.length; first += 100) {
      const files = refused.slice(first, first + 100);
      const { exitCode, outcomes, stderr } = await submit(...files);
      expect([exitCode, stderr]).toEqual([2, '']);
      expect(outcomes.map(({ file, status, id }) => ({ file, status, id }))).toEqual(
        files.map((file) => ({ file, status: 'refused', id: null })),
      );
      for (const { file, problems } of outcomes) expect(problems.length, file).toBeGreaterThan(0);
    }
    expect(existsSync(home())).toBe(false);
  });

  it('are told with place, value, expected and remedy beside what is right, and with --atomic nothing is started', async () => {
    const [good, bad, missing] = [
      writeSpec('good'),
      writeSpec('bad', { seeds: [1, 1] }),
      path.join(folder, 'missing.json'),
    ];
    const { exitCode, outcomes } = await submit('--atomic', good, bad, missing);
    expect(exitCode).toBe(2);
    expect(outcomes).toMatchObject([
      { file: good, status: 'not_submitted', problems: [] },
      { file: bad, status: 'refused', problems: [{ path: 'seeds[1]' }] },
      { file: missing, status: 'refused', problems: [{ path: '', found: 'no such file' }] },
    ]);
    const told = await thaw(['submit', '--atomic', good, bad], { THAW_HOME: home() });
    expect(told.stdout).toContain(`${good}: valid, not started because others were refused`);
    expect(told.stderr).toContain('1 of 2 files was refused; nothing was started.');
    expect(existsSync(home())).toBe(false);
  });
});

describe('a batch that is stored', () => {
  let postgres: TestPostgres;
  let database: Database;
  beforeAll(async () => void (postgres = await startTestPostgres()));
  afterAll(() => postgres.stop());
  beforeEach(async () => void ({ database } = await postgres.createDatabase()));

  function orchestration() {
    const started: string[] = [];
    let [open, most] = [0, 0];
    const session = {
      configuration: readConfiguration({ THAW_HOME: home() }),
      database,
      orchestrator: {
        startExperiment: async ({ id }: { id: string }) => {
          most = Math.max(most, (open += 1));
          await new Promise((resolve) => setImmediate(resolve));
          open -= 1;
          started.push(id);
        },
      },
    } as unknown as ServiceSession;
    return { session, started, most: () => most };
  }

  const specsOf = async (files: readonly string[]): Promise<ValidSpec[]> =>
    (await readSpecFiles(files, [])).map((spec) => {
      if (!spec.ok) throw new Error(JSON.stringify(spec.problems));
      return spec;
    });

  const ids = async () => (await listExperiments(database, { limit: 1000 })).map(({ id }) => id);

  it('has its experiments in the order of its files, the last the newest, and starts each once and some at a time', async () => {
    const files = Array.from({ length: 40 }, (_, index) => writeSpec(`many/m${index}`));
    const { session, started, most } = orchestration();
    for (const isAtomic of [false, true]) {
      const submissions = await submitSpecs(session, await specsOf(files), { isAtomic });
      expect(submissions.map(({ isNew }) => isNew)).toEqual(files.map(() => !isAtomic));
      expect(await ids()).toEqual(submissions.map(({ experiment }) => experiment.id).reverse());
    }
    expect(started.length).toBe(2 * files.length);
    expect(most()).toBeGreaterThan(1);
    expect(most()).toBeLessThan(files.length);
  });

  it('is there whole or not at all with --atomic: when storing one fails, none is stored and none started', async () => {
    const specs = await specsOf([writeSpec('first'), writeSpec('second'), writeSpec('third')]);
    // No variant: its runs have none to belong to.
    const broken = { ...specs[1]!, experiment: { ...specs[1]!.experiment, variant_hashes: {} } };
    const { session, started } = orchestration();
    const atomic = submitSpecs(session, [specs[0]!, broken, specs[2]!], { isAtomic: true });
    await expect(atomic).rejects.toThrow('variant_hash');
    expect([await ids(), started]).toEqual([[], []]);
    await expect(submitSpecs(session, [specs[0]!, broken])).rejects.toThrow('variant_hash');
    expect(await ids()).toHaveLength(1);
  });

  it('[P79] has the same seeds for every variant, and [P61] every cell once: ten variants × twenty seeds', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `v${index}`);
    const variants = Object.fromEntries(
      names.map((name, index) => [
        name,
        { strategy: { kind: 'frozen', simulator: 'zero' }, algorithm: { epochs: index + 1 } },
      ]),
    );
    const file = writeSpec('cells', { variants, seeds: { first: 7, count: 20 } });
    const { session } = orchestration();
    const [submission] = await submitSpecs(session, await specsOf([file]));
    const runs = await listRuns(database, submission!.experiment.id);
    const seeds = Array.from({ length: 20 }, (_, index) => 7 + index);
    for (const name of names)
      expect(runs.filter(({ variant }) => variant === name).map(({ seed }) => seed)).toEqual(seeds);
    expect(runs).toHaveLength(200);
    const again = `insert into runs (id, experiment_id, variant, seed, position, variant_hash) values ('x', $1, 'v0', 7, 999, 'h')`;
    await expect(database.query(again, [submission!.experiment.id])).rejects.toThrow('unique');
  });

  it('[P80] has the same hashes and the same rows when the same spec is submitted twice, in whatever order of keys [P54]', async () => {
    const spec = { ...specDocument(), name: 'twice' };
    const reversed = Object.fromEntries(Object.entries(spec).reverse());
    const files = [writeText('a.json', JSON.stringify(spec)), writeText('b.json', JSON.stringify(reversed))];
    const { session } = orchestration();
    const rows = () => database.query('select id, variant, seed, position, variant_hash from runs order by id');
    const [first] = await submitSpecs(session, await specsOf([files[0]!]));
    const before = (await rows()).rows;
    const [second] = await submitSpecs(session, await specsOf([files[1]!]));
    expect([second!.isNew, second!.experiment.resultHash]).toEqual([false, first!.experiment.resultHash]);
    expect((await rows()).rows).toEqual(before);
  });
});

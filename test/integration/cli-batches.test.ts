import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FileOutcome } from '../../cli/submission/batch.ts';
import { inPrivateHome } from '../../cli/bench/private-home.ts';
import { RunView } from '../../cli/watching/run-view.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { readSpecFiles, type ValidSpec } from '../../cli/specs/spec-files.ts';
import { submitSpecs } from '../../cli/submission/submission.ts';
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

  it('[P94] has its experiments in the order of its files, the last the newest, and starts each once and some at a time', async () => {
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

  it('[P93] is there whole or not at all with --atomic: when storing one fails, none is stored and none started', async () => {
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

  it('has as many runs as were asked for, in one order: 2 001 of one variant', async () => {
    const variants = { frozen: { strategy: { kind: 'frozen', simulator: 'zero' } } };
    const file = writeSpec('thousands', { variants, seeds: { first: 0, count: 2001 } });
    const [submission] = await submitSpecs(orchestration().session, await specsOf([file]));
    expect(submission!.runs.map(({ seed }) => seed)).toEqual(Array.from({ length: 2001 }, (_, seed) => seed));
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

describe('many experiments and runs', () => {
  let postgres: TestPostgres;
  let database: Database;
  let url: string;
  beforeAll(async () => {
    postgres = await startTestPostgres();
    ({ database, url } = await postgres.createDatabase());
  });
  afterAll(() => postgres.stop());

  const look = (...args: string[]) => thaw(args, { THAW_DATABASE_URL: url, THAW_HOME: home() });

  /** Rows as they are stored, of experiments that nobody has resolved. */
  async function storeRows(experiments: number, runsOfEach: number): Promise<void> {
    await database.query(
      `insert into experiments (id, name, version, identity_hash, result_hash, document, resolved, execution, source_file, program_version, created_at)
       select 'e' || n, 'e' || n, 1, 'i' || n, 'r', '{}', $2, '{}', '/x', '0', now() + n * interval '1 ms' from generate_series(1, $1::int) n`,
      [experiments, JSON.stringify({ name: 'x', labels: {}, description: '', variants: {}, seeds: [] })],
    );
    await database.query(
      `insert into variants (experiment_id, name, position, variant_hash, resolved)
       select id, 'v', 0, 'h', '{"budget": {"rounds": 3}}' from experiments`,
    );
    await database.query(
      `insert into runs (id, experiment_id, variant, seed, position, variant_hash, state)
       select e.id || '/v/' || n, e.id, 'v', n, n, 'h', case when n % 3 = 0 then 'SUCCEEDED' else 'QUEUED' end
         from experiments e, generate_series(1, $1::int) n`,
      [runsOfEach],
    );
  }

  it('[P88] are listed page by page without a metric [P90], newest first, each once: 10 000 runs of 300 experiments', async () => {
    await storeRows(300, 34);
    const statements: string[] = [];
    const watched: Database = {
      ...database,
      query: (text, values) => (statements.push(text), database.query(text, values)),
    };
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await listExperiments(watched, { limit: 70, after });
      if (page.length === 0) break;
      expect(page.map(({ runs }) => runs)).toEqual(page.map(() => ({ QUEUED: 23, SUCCEEDED: 11 })));
      seen.push(...page.map(({ id }) => id));
      after = seen.at(-1)!;
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => `e${300 - index}`));
    for (const text of statements) expect(text).not.toMatch(/results|metrics|evaluations|checkpoint_scores|attempts/);
    const first = await look('list', '--limit', '2');
    expect(first.stderr).toContain('thaw list --after e299');
    const second = await look('list', '--limit', '2', '--after', 'e299', '-o', 'json');
    expect((JSON.parse(second.stdout) as { id: string }[]).map(({ id }) => id)).toEqual(['e298', 'e297']);
    expect(await look('list', '--after', 'nothing')).toMatchObject({ exitCode: 2 });
    expect((await look('list', '--after', 'e1')).stderr).toContain('No experiment is older than e1.');
  });

  it('[P61] tell how many of their cells are done and left, and of many runs the first: `get` and its JSON', async () => {
    const { stdout, stderr } = await look('get', 'e7', '--limit', '5');
    expect(stdout).toContain('34 runs: 11 done, 23 left; 23 QUEUED, 11 SUCCEEDED');
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => /^v +\d+ /.test(line)),
    ).toHaveLength(5);
    expect(stderr).toContain('29 runs more');
    const document = JSON.parse((await look('get', 'e7', '-o', 'json')).stdout) as object;
    expect(document).toMatchObject({ done: 11, left: 23, runs: { length: 34 } });
  });

  it('are watched by asking for what changes only, and what is seen is what there is', async () => {
    const view = new RunView(database, 'e9');
    const read: number[] = [];
    const counting = new RunView(
      {
        ...database,
        query: async (...args) =>
          await database.query(...args).then((result) => (read.push(result.rows.length), result)),
      },
      'e9',
    );
    await counting.look();
    const change = (set: string, seed: number) =>
      database.query(`update runs set ${set} where experiment_id = 'e9' and seed = $1`, [seed]);
    const steps: (() => Promise<unknown>)[] = [
      async () => undefined,
      () => change(`state = 'RUNNING', env_steps = 5`, 1),
      () => change(`state = 'RETRYING', reason = 'lost'`, 1),
      () => change(`state = 'FAILED', finished_at = now()`, 1),
      () => change(`state = 'SUCCEEDED', finished_at = now()`, 2),
      () => change(`state = 'PAUSED'`, 4),
      () => change(`state = 'QUEUED'`, 4),
    ];
    for (const step of steps) {
      await step();
      expect(await counting.look()).toEqual(await listRuns(database, 'e9'));
    }
    expect(read[0]).toBe(34);
    expect(Math.max(...read.slice(1))).toBeLessThan(6);
    expect(await view.look()).toEqual(await view.lookAtAll());
  });
});

describe('a batch with all that can be in it', () => {
  const tiny = (name: string, change: object = {}) =>
    writeSpec(name, {
      name: 'tiny',
      algorithm: { name: 'ippo', hidden_sizes: [8], parallel_environments: 8 },
      variants: { frozen: { strategy: { kind: 'frozen', simulator: 'zero' } } },
      seeds: [0],
      budget: { env_steps: 200, rounds: 1 },
      evaluation: { every_rounds: 1, episodes: 2, final_episodes: 2 },
      ...change,
    });

  it('[P60] is queued once each, the rest proceeds beside what is refused, and [P58] the same command again changes nothing', async () => {
    await inPrivateHome(async ({ configuration, database }) => {
      const at = (...args: string[]) => thaw(['submit', ...args], { THAW_HOME: configuration.home });
      const [first, copy, other, bad] = [
        tiny('all/a'),
        tiny('all/copy'),
        tiny('all/b', { name: 'other' }),
        tiny('all/bad', { seeds: [] }),
      ];
      const files = [first, first, copy, bad, other];
      const submitted = await at('-o', 'json', ...files);
      expect(submitted.exitCode).toBe(2);
      const outcomes = JSON.parse(submitted.stdout) as FileOutcome[];
      expect(outcomes.map(({ status }) => status)).toEqual(['new', 'duplicate', 'duplicate', 'refused', 'new']);
      const [a, b] = [outcomes[0]!.id!, outcomes[4]!.id!];
      expect(outcomes.map(({ id }) => id)).toEqual([a, a, a, null, b]);
      expect(outcomes[0]).toMatchObject({ file: first, version: 1, problems: [] });
      const again = await at(...files);
      expect(again.exitCode).toBe(2);
      for (const line of [
        `${first}: the same as before, ${a}`,
        `${copy}: already queued as ${a}, from ${first}`,
        `${bad}: refused, 1 problem`,
      ]) {
        expect(again.stdout).toContain(line);
      }
      expect(again.stderr).toContain('1 of 5 files was refused; what the others hold, 2 experiments, was submitted.');
      expect((await at('--atomic', first, other)).exitCode).toBe(0);
      expect((await listExperiments(database, { limit: 10 })).map(({ id }) => id)).toEqual([b, a]);
      expect((await database.query('select count(*) from runs')).rows).toEqual([{ count: 2 }]);
    });
  });
});

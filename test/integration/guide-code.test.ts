import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installationRoot } from '../../infra/installation.ts';
import { codeChanges, type CodeChange } from '../support/guide-blocks.ts';

// The guides that add code say in comments before their blocks which file a block is, or where its lines go. Here this is done to a
// copy of the sources, all guides in one, and what comes out is compiled and tested: its own tests, and the suites of the registries.

const GUIDES = ['adding-a-simulator.md', 'adding-an-algorithm.md', 'adding-a-strategy.md'];
const ADDED = ['line_meeting', 'ia2c', 'round_robin'];
const SUITES = ['simulators', 'algorithms', 'strategies'].map((suite) => `test/contract/${suite}.test.ts`);
const SOURCES = ['schemas', 'simulators', 'learning', 'specification', 'infra', 'test/contract', 'test/support'];
const FILES = ['package.json', 'tsconfig.json'];

const run = promisify(execFile);
const changes = GUIDES.flatMap((guide) => codeChanges(path.join('docs/guides', guide)));
const written = changes.flatMap((change) => (change.kind === 'file' ? [change.file] : []));
const ownTests = written.filter((file) => file.endsWith('.test.ts'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-guide-code-'));
  for (const source of [...SOURCES, ...FILES]) cpSync(source, path.join(folder, source), { recursive: true });
  symlinkSync(path.join(installationRoot(), 'node_modules'), path.join(folder, 'node_modules'));
  for (const change of changes) apply(change);
});
afterAll(() => rmSync(folder, { recursive: true }));

function apply({ kind, file, anchor, text }: CodeChange): void {
  const target = path.join(folder, file);
  if (kind === 'file') {
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
    return;
  }
  const before = readFileSync(target, 'utf8');
  // What a guide points to has to be there, and once.
  expect([file, anchor, before.split(anchor).length]).toEqual([file, anchor, 2]);
  const replacement = kind === 'line' ? `${anchor}\n${text.trimEnd()}` : text.trimEnd();
  writeFileSync(
    target,
    before.replace(anchor, () => replacement),
  );
}

it('every guide writes one file, its test and a line of a registry', () => {
  expect(ownTests).toHaveLength(GUIDES.length);
  expect(written).toHaveLength(2 * GUIDES.length);
  const registries = changes.filter(({ kind, file }) => kind !== 'file' && file.endsWith('/registry.ts'));
  expect(new Set(registries.map(({ file }) => file)).size).toBe(GUIDES.length);
});

it('what the guides write compiles under our own rules', async () => {
  const files = [...written, ...SUITES];
  writeFileSync(path.join(folder, 'guide.json'), JSON.stringify({ extends: './tsconfig.json', include: [], files }));
  const outcome = await run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'guide.json'], {
    cwd: folder,
  }).catch((error: unknown) => error as { stdout: string });
  expect(outcome.stdout).toBe('');
}, 180_000);

interface Report {
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

it('what the guides write passes its own tests, and keeps every promise of its kind', async () => {
  writeFileSync(
    path.join(folder, 'vitest.config.ts'),
    'export default { test: { testTimeout: 60_000, maxWorkers: 2 } };\n',
  );
  const titles = ownTests.flatMap((file) =>
    [...readFileSync(path.join(folder, file), 'utf8').matchAll(/^test\('(.+)', /gm)].map(([, title]) => title!),
  );
  const pattern = [...ADDED, ...titles].join('|');
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', '-t', pattern, ...ownTests, ...SUITES];
  const { stdout } = await run(process.execPath, args, {
    cwd: folder,
    env: { PATH, HOME, TMPDIR },
    maxBuffer: 64 * 2 ** 20,
  }).catch((error: unknown) => error as { stdout: string });
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(report.numFailedTests).toBe(0);
  const passed = results.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName);
  for (const title of titles) expect(passed).toContain(title);
  for (const name of ADDED) expect(passed.filter((each) => each.includes(name)).length).toBeGreaterThan(9);
}, 240_000);

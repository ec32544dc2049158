import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesBelow } from '../support/source-files.ts';

const architecture = readFileSync('ARCHITECTURE.md', 'utf8');
const [, section] = architecture.split(/^## Folders$/m);
const documented = [...section!.split(/^## /m)[0]!.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`(\w+)\/`/g)].map(([, folder]) => folder!),
);
const withCode = [
  ...new Set(
    filesBelow()
      .filter((file) => file.endsWith('.ts') && file.includes('/'))
      .map((file) => file.split('/')[0]!),
  ),
];

test('every folder that ARCHITECTURE.md explains exists, with something in it', () => {
  expect(documented.length).toBeGreaterThan(5);
  expect(documented.filter((folder) => !existsSync(folder) || filesBelow(folder).length === 0)).toEqual([]);
});

test('every folder with code is explained in ARCHITECTURE.md and checked by the compiler', () => {
  const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { include: string[] };
  expect(withCode.filter((folder) => !documented.includes(folder))).toEqual([]);
  expect(withCode.filter((folder) => !include.includes(folder))).toEqual([]);
});

test('experiments hold no code but the programs of trainers, beside their specs, and of those whose policies are judged', () => {
  const isProgram = (file: string): boolean => /^experiments\/(trainers|policies)\/.*\.py$/.test(file);
  expect(filesBelow('experiments').filter((file) => !file.endsWith('.json') && !isProgram(file))).toEqual([]);
});

test('no folder or file is called after nothing in particular', () => {
  const vague = /(^|\/)(utils?|helpers?|common|types|misc)(\.|\/|$)/;
  expect(filesBelow().filter((file) => vague.test(file))).toEqual([]);
});

test('every exception to the size of files names a file that exists', () => {
  const [, list] = /const LARGE_FILES = \[([^\]]*)\]/.exec(readFileSync('eslint.config.mjs', 'utf8'))!;
  const files = [...list!.matchAll(/'([^']+)'/g)].map(([, file]) => file!);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

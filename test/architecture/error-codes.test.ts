import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CATALOGUE } from '../../schemas/error-catalogue.ts';
import { filesBelow } from '../support/source-files.ts';

const CATALOGUE = 'schemas/error-catalogue.ts';
const sources = filesBelow().filter(
  (file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.test.ts') && !file.startsWith('test/') && file !== CATALOGUE,
);
const named = new Map<string, string[]>();
for (const file of sources) {
  for (const [, code] of readFileSync(file, 'utf8').matchAll(/['"]((?:REQUEST|WORLD|DEFECT)_[A-Z_]+)['"]/g)) {
    named.set(code!, [...(named.get(code!) ?? []), file]);
  }
}

test('every code of the catalogue is used, so that no remedy is for an error that cannot happen', () => {
  expect(Object.keys(ERROR_CATALOGUE).filter((code) => !named.has(code))).toEqual([]);
});

test('every code that is used is in the catalogue', () => {
  expect([...named].filter(([code]) => !(code in ERROR_CATALOGUE))).toEqual([]);
  expect(named.size).toBe(Object.keys(ERROR_CATALOGUE).length);
});

test('the kind of an error is how its code begins', () => {
  for (const [code, { kind }] of Object.entries(ERROR_CATALOGUE)) {
    expect(code.startsWith(`${kind.toUpperCase()}_`)).toBe(true);
  }
});

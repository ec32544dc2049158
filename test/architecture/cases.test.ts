import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../support/source-files.ts';

/** The numbers of `docs/cases.md`, and those in titles of tests, `[P14]`. */
const listed = numbersIn('docs/cases.md', /^\| (P\d+) +\|/gm);
const tested = new Set(
  filesBelow()
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('cases.test.ts'))
    .flatMap((file) => numbersIn(file, /\[(P\d+)\]/g)),
);

function numbersIn(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map((match) => match[1]!);
}

describe('the accidents of docs/cases.md', () => {
  it('are each listed once', () => {
    expect(listed.length).toBeGreaterThan(50);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('each have a test', () => {
    expect(listed.filter((number) => !tested.has(number))).toEqual([]);
  });

  it('are all that tests name', () => {
    expect([...tested].filter((number) => !listed.includes(number))).toEqual([]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow } from '../support/source-files.ts';

const documents = filesBelow().filter((file) => file.endsWith('.md'));

/** Text without code, in which brackets are no links. */
const proseOf = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** What a heading is called in an address, as GitHub does it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
}

/** Links of a document that lead nowhere in the project; addresses of the web are not followed. */
function brokenLinks(document: string): string[] {
  const links = [...proseOf(readFileSync(document, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [target, anchor] = link.split('#') as [string, string | undefined];
    const file = target === '' ? document : path.join(path.dirname(document), target);
    return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });
}

test('there are documents, and among them links', () => {
  expect(documents).toContain('README.md');
  expect(documents.some((document) => /\]\([^)]+\)/.test(readFileSync(document, 'utf8')))).toBe(true);
});

test.each(documents)('every link of %s leads somewhere', (document) => {
  expect(brokenLinks(document)).toEqual([]);
});

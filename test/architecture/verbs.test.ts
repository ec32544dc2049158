import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERB_GROUPS } from '../../cli/commands/verb-groups.ts';

test('the first page lists the verbs in the groups of the help', () => {
  const readme = readFileSync('README.md', 'utf8');
  const table = /^\| \| verbs \|\n\|--\|--\|\n((?:\|.*\n)+)/m.exec(readme)![1]!;
  const rows = table
    .trimEnd()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, title, verbs]) => [title!, [...verbs!.matchAll(/`([\w-]+)`/g)].map(([, verb]) => verb!)] as const);
  const groups = Object.entries(VERB_GROUPS).map(
    ([title, verbs]) =>
      [`${title[0]!.toLowerCase()}${title.slice(1)}`, verbs.filter((verb) => verb !== 'help')] as const,
  );
  expect(rows).toEqual(groups);
});

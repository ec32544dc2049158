import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../cli/generated-files.ts';
import { ERROR_CATALOGUE } from '../../schemas/error-catalogue.ts';

const files = generatedFiles();

test.each(Object.keys(files))('%s is in date; otherwise run: npm run generate', (file) => {
  expect(readFileSync(file, 'utf8') === files[file]).toBe(true);
});

test('the page on errors has every code once', () => {
  const page = files['docs/errors.md']!;
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(rows.sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort());
});

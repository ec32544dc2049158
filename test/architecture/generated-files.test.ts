import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../cli/generated-files.ts';
import { ERROR_CATALOGUE } from '../../schemas/error-catalogue.ts';
import { FAMILIES } from '../../simulators/registry.ts';

const files = generatedFiles();

test.each(Object.keys(files))('%s is in date; otherwise run: npm run generate', (file) => {
  expect(readFileSync(file, 'utf8') === files[file]).toBe(true);
});

test('the page on errors has every code once', () => {
  const page = files['docs/errors.md']!;
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(rows.sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort());
});

test.each(Object.values(FAMILIES))('the page of $name names all that the family has', (family) => {
  const world = family.open(family.optionsSchema.parse({}));
  const page = files[`docs/simulators/${family.name}.md`]!;
  const names = [
    ...Object.keys(world.options),
    ...Object.keys(world.catalogue),
    ...world.scriptedPolicies,
    ...world.features.map(({ name }) => name),
    ...world.parameters.map(({ path }) => path).filter((path) => !/\d/.test(path)),
  ];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  for (const { observation } of world.groups) {
    for (const { name } of observation) expect(page).toContain(`| ${name} |`);
  }
  expect(files['docs/simulators/README.md']).toContain(`(${family.name}.md)`);
});

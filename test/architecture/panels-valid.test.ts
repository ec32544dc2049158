import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSchemaCheck } from '../../specification/check-schema.ts';
import type { JsonSchema } from '../../specification/json-schema.ts';
import { parsePanel } from '../../specification/parse-panel.ts';
import { resolveDocument } from '../support/spec-document.ts';

const FOLDER = 'experiments/panels';
const SCHEMA = 'schemas/generated/panel.schema.json';
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

test('there are panels to judge policies by', () => {
  expect(FILES.length).toBeGreaterThan(0);
});

describe.each(FILES)(`${FOLDER}/%s`, (file) => {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');

  test('is valid', () => {
    const parsed = parsePanel(text, path.basename(file, '.json'));
    expect(parsed).toMatchObject({ ok: true });
    if (parsed.ok) expect(resolveDocument(parsed.document, [], file)).toMatchObject({ ok: true, unavailable: [] });
  });

  test('is valid for editors, and says where its schema is', () => {
    const document = JSON.parse(text) as object;
    expect(createSchemaCheck(JSON.parse(readFileSync(SCHEMA, 'utf8')) as JsonSchema)(document)).toEqual([]);
    expect(document).toMatchObject({ $schema: path.relative(FOLDER, SCHEMA) });
  });
});

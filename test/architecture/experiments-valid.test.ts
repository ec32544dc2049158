import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSchemaCheck } from '../../specification/check-schema.ts';
import type { JsonSchema } from '../../specification/json-schema.ts';
import { parseDocument } from '../../specification/parse-document.ts';
import { resolveDocument } from '../support/spec-document.ts';

const jsonFilesIn = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.json'));
const schemaAt = (file: string) => JSON.parse(readFileSync(`schemas/generated/${file}`, 'utf8')) as JsonSchema;

function documentAt(file: string): unknown {
  const parsed = parseDocument(readFileSync(file, 'utf8'));
  if (!parsed.ok) throw new Error(`${file} is not JSON`);
  return parsed.document;
}

describe.each(jsonFilesIn('experiments'))('experiments/%s', (file) => {
  const document = documentAt(`experiments/${file}`);

  test('is valid, and this version can start it', () => {
    expect(resolveDocument(document, [], file)).toMatchObject({ ok: true, unavailable: [] });
  });

  test('is valid for editors, and says where its schema is', () => {
    expect(createSchemaCheck(schemaAt('experiment.schema.json'))(document)).toEqual([]);
    expect(document).toMatchObject({ $schema: '../schemas/generated/experiment.schema.json' });
  });
});

describe.each(jsonFilesIn('experiments/forms'))('experiments/forms/%s', (file) => {
  const document = documentAt(`experiments/forms/${file}`);

  test('is valid in its own form', () => {
    expect(resolveDocument(document, [], file)).toMatchObject({ ok: true });
    expect(createSchemaCheck(schemaAt(file.replace('.json', '.schema.json')))(document)).toEqual([]);
  });
});

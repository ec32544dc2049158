import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { embedTrainers } from '../../cli/specs/embed-trainers.ts';
import { createSchemaCheck, type SchemaCheck } from '../../specification/check-schema.ts';
import type { JsonSchema } from '../../specification/json-schema.ts';
import { parseDocument } from '../../specification/parse-document.ts';
import { resolveDocument } from '../support/spec-document.ts';

const jsonFilesIn = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.json'));

const CHECKS = new Map<string, SchemaCheck>();

/** What checks documents by a generated schema; compiled once. */
function checkBy(file: string): SchemaCheck {
  const schema = () => JSON.parse(readFileSync(`schemas/generated/${file}`, 'utf8')) as JsonSchema;
  const check = CHECKS.get(file) ?? createSchemaCheck(schema());
  CHECKS.set(file, check);
  return check;
}

function documentAt(file: string): unknown {
  const parsed = parseDocument(readFileSync(file, 'utf8'));
  if (!parsed.ok) throw new Error(`${file} is not JSON`);
  return parsed.document;
}

const TRAINERS = readdirSync('experiments/trainers').map((name) => `experiments/trainers/${name}`);
const FOLDERS = ['experiments', 'experiments/learning', 'experiments/sweeps', ...TRAINERS];
const FILES = FOLDERS.flatMap((folder) => jsonFilesIn(folder).map((file) => `${folder}/${file}`));

describe.each(FILES)('%s', (file) => {
  const document = documentAt(file);

  test('is valid, and this version can start it', async () => {
    const { document: whole, problems } = await embedTrainers(document, path.dirname(file));
    expect(problems).toEqual([]);
    expect(resolveDocument(whole, [], path.basename(file))).toMatchObject({ ok: true, unavailable: [] });
  });

  test('is valid for editors, and says where its schema is', () => {
    expect(checkBy('experiment.schema.json')(document)).toEqual([]);
    const schema = path.relative(path.dirname(file), 'schemas/generated/experiment.schema.json');
    expect(document).toMatchObject({ $schema: schema });
  });
});

describe.each(jsonFilesIn('experiments/forms'))('experiments/forms/%s', (file) => {
  const document = documentAt(`experiments/forms/${file}`);

  test('is valid in its own form', () => {
    expect(resolveDocument(document, [], file)).toMatchObject({ ok: true });
    expect(checkBy(file.replace('.json', '.schema.json'))(document)).toEqual([]);
  });
});

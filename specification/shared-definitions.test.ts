import { expect, test } from 'vitest';
import { experimentJsonSchema, type JsonSchema } from './json-schema.ts';
import { isRecord } from './path.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';
import { withSharedDefinitions } from './shared-definitions.ts';

/** What was shared written out again wherever it is referred to. */
function writtenOut(value: unknown, definitions: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => writtenOut(each, definitions));
  if (!isRecord(value)) return value;
  if (typeof value['$ref'] === 'string')
    return writtenOut(definitions[value['$ref'].slice('#/$defs/'.length)], definitions);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, writtenOut(each, definitions)]));
}

const long = { type: 'string', description: 'x'.repeat(300) };

test('the schema for editors says the same with shared parts, in less than a third of the length', () => {
  const whole = experimentJsonSchema(DEFAULT_REGISTRIES);
  const { $defs: definitions, ...shared } = withSharedDefinitions(whole);
  expect(writtenOut(shared, definitions as JsonSchema)).toEqual(whole);
  expect(JSON.stringify({ shared, definitions }).length).toBeLessThan(JSON.stringify(whole).length / 3);
});

test('only schemas are shared: values that look alike stay', () => {
  const schema = {
    properties: { a: { ...long, default: { b: long } }, b: long, c: long, $ref: { type: 'number' } },
    default: { b: long, c: long },
  };
  const shared = withSharedDefinitions(schema);
  expect(shared).toEqual({
    properties: {
      a: { ...long, default: { b: long } },
      b: { $ref: '#/$defs/b' },
      c: { $ref: '#/$defs/b' },
      $ref: { type: 'number' },
    },
    default: { b: long, c: long },
    $defs: { b: long },
  });
});

test('parts of other content under one key get other names', () => {
  const other = { ...long, type: 'number' };
  const nested = { properties: { size: long } };
  const shared = withSharedDefinitions({
    anyOf: [nested, { properties: { size: other } }, nested, { properties: { size: other, depth: other } }],
  });
  expect(shared['$defs']).toEqual({ experiment: { properties: { size: long } }, size: other });
});

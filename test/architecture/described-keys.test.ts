import { describe, expect, test } from 'vitest';
import { experimentJsonSchema, type JsonSchema } from '../../specification/json-schema.ts';
import { isRecord } from '../../specification/path.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

const schema = experimentJsonSchema(DEFAULT_REGISTRIES);

/** Every key that a schema knows, with its own schema, by its place. Of alternatives each is looked into. */
function keysOf(node: JsonSchema, place: string): [string, JsonSchema][] {
  const properties = Object.entries((node.properties ?? {}) as Record<string, JsonSchema>);
  const own = properties.flatMap(([key, inner]): [string, JsonSchema][] => [
    [`${place}.${key}`, inner],
    ...keysOf(inner, `${place}.${key}`),
  ]);
  const others = ['oneOf', 'anyOf', 'allOf', 'prefixItems'].flatMap((keyword) => (node[keyword] ?? []) as JsonSchema[]);
  const one = ['items', 'additionalProperties', 'then'].map((keyword) => node[keyword]).filter(isRecord);
  return [...own, ...[...others, ...one].flatMap((inner) => keysOf(inner, `${place}.*`))];
}

/** A value that tells alternatives apart says by itself what it is; a variant's key may also be null, and is told within. */
function isDescribed(node: JsonSchema): boolean {
  if (typeof node.description === 'string' || 'const' in node) return true;
  const [inner, empty] = (node.anyOf ?? []) as JsonSchema[];
  return empty?.type === 'null' && isDescribed(inner!);
}

test('every key of a spec is described in words', () => {
  const keys = keysOf(schema, '');
  expect(keys.length).toBeGreaterThan(1000);
  expect([...new Set(keys.filter(([, node]) => !isDescribed(node)).map(([place]) => place))]).toEqual([]);
});

describe('every description', () => {
  const texts = new Set(
    keysOf(schema, '').flatMap(([, { description }]) => (description === undefined ? [] : [description as string])),
  );

  test('is a sentence', () => {
    expect(texts.size).toBeGreaterThan(100);
    const wrong = [...texts].filter((text) => !/[.)]$/.test(text) || /\n| {2}/.test(text));
    // The summary of a branch is a part of a sentence: it stands in lists.
    const summaries = Object.values(DEFAULT_REGISTRIES.strategies).map(({ summary }) => summary);
    expect(wrong.filter((text) => !summaries.includes(text))).toEqual([]);
  });
});

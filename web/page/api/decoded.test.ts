import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as experiments from '../../contract/experiments.ts';
import * as results from '../../contract/results.ts';
import * as runs from '../../contract/runs.ts';
import * as server from '../../contract/server.ts';
import * as simulators from '../../contract/simulators.ts';
import { decode, TEXT_BRANCHES, TEXT_KEYS } from './decoded.ts';

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
}

/** Keys that hold text of any kind, apart from those whose texts the schema lists. */
function textKeys(schema: JsonSchema, key: string): string[] {
  if (TEXT_BRANCHES.has(key)) return [];
  if (schema.anyOf !== undefined) {
    // A cell may be a text or a number: its column says which.
    const isCell =
      schema.anyOf.some(({ type }) => type === 'number') && schema.anyOf.some(({ type }) => type === 'boolean');
    return isCell ? [] : schema.anyOf.flatMap((each) => textKeys(each, key));
  }
  if (schema.type === 'string') return schema.enum === undefined ? [key] : [];
  if (schema.type === 'array') return schema.items === undefined ? [] : textKeys(schema.items, key);
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => textKeys(each, name));
  return typeof schema.additionalProperties === 'object'
    ? [...below, ...textKeys(schema.additionalProperties, key)]
    : below;
}

describe('answers', () => {
  it('have numbers for the words that JSON writes for them', () => {
    const answer = { mean: 'NaN', ci95: ['-Infinity', 'Infinity'], std: null, cells: [{ value: 'NaN' }] };
    expect(decode(answer)).toEqual({ mean: NaN, ci95: [-Infinity, Infinity], std: null, cells: [{ value: NaN }] });
  });

  it('leave what somebody wrote: a variant may be called NaN', () => {
    const answer = {
      name: 'NaN',
      variant: 'Infinity',
      labels: { mean: 'NaN' },
      rows: ['NaN'],
      resolved: { std: 'NaN' },
    };
    expect(decode(answer)).toEqual(answer);
  });

  it('hold text under keys that are known to', () => {
    const schemas = [experiments, results, runs, server, simulators].flatMap((module) =>
      Object.values(module).filter((value) => value instanceof z.ZodType),
    );
    expect(schemas.length).toBeGreaterThan(10);
    const keys = schemas.flatMap((schema) => textKeys(z.toJSONSchema(schema) as JsonSchema, ''));
    expect([...new Set(keys)].filter((key) => !TEXT_KEYS.has(key))).toEqual([]);
  });
});

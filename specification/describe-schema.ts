import type { JsonSchema } from './json-schema.ts';
import { listNames } from './nearest.ts';

/** What a schema accepts, in words. A `title` says it when a pattern would not be understood. */
export function describeSchema(schema: JsonSchema): string {
  if (typeof schema.title === 'string') return schema.title;
  const choices = acceptedChoices(schema);
  if (choices !== null) return choices.length === 1 ? choices[0]! : `one of ${listNames(choices, 40)}`;
  const branches = (schema.oneOf ?? schema.anyOf) as readonly JsonSchema[] | undefined;
  if (branches !== undefined) return [...new Set(branches.map(describeSchema))].join(', or ');
  return describeType(schema);
}

/** The values a schema lists, as JSON; null when it does not list them. */
export function acceptedChoices(schema: JsonSchema): readonly string[] | null {
  if ('const' in schema) return [JSON.stringify(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map((value: unknown) => JSON.stringify(value)) : null;
}

function describeType(schema: JsonSchema): string {
  switch (schema.type) {
    case 'integer':
      return `a whole number${describeRange(schema)}`;
    case 'number':
      return `a number${describeRange(schema)}`;
    case 'string':
      return typeof schema.pattern === 'string' ? `text that matches ${schema.pattern}` : 'text';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return describeArray(schema);
    case 'object':
      return describeObject(schema);
    default:
      return 'a value';
  }
}

function describeArray(schema: JsonSchema): string {
  if (Array.isArray(schema.prefixItems))
    return `an array [${(schema.prefixItems as JsonSchema[]).map(describeSchema).join(', ')}]`;
  const items = schema.items as JsonSchema | undefined;
  return items === undefined || items.type === undefined ? 'an array' : `an array, each entry ${describeSchema(items)}`;
}

function describeObject(schema: JsonSchema): string {
  const keys = Object.keys(schema.properties ?? {});
  return keys.length === 0 ? 'an object' : `an object with ${listNames(keys, 8)}`;
}

/** The bounds of a number; those of the largest safe integers say nothing and are left out. */
function describeRange(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const low = isBound(minimum) ? `at least ${minimum}` : isBound(exclusiveMinimum) ? `above ${exclusiveMinimum}` : '';
  const high = isBound(maximum) ? `at most ${maximum}` : isBound(exclusiveMaximum) ? `below ${exclusiveMaximum}` : '';
  if (isBound(minimum) && isBound(maximum)) return ` from ${minimum} to ${maximum}`;
  const bounds = [low, high].filter((text) => text !== '').join(' and ');
  return bounds === '' ? '' : ` ${bounds}`;
}

function isBound(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

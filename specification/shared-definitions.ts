import type { JsonSchema } from './json-schema.ts';
import { isRecord } from './path.ts';

/** Shorter parts stay where they are: a reference is harder to read than a line. */
const SHARED_LENGTH_MIN = 60;

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const SINGLE = ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties'];

/**
 * The same schema with every part that occurs again written once, under `$defs`: families, algorithms and variants have
 * most of their keys in common. A part is called after the key that it was met under first.
 */
export function withSharedDefinitions(schema: JsonSchema): JsonSchema {
  const parts = new Map<string, { readonly name: string; count: number }>();
  const count = (part: JsonSchema, key: string): void => {
    const text = JSON.stringify(part);
    const known = parts.get(text);
    if (known === undefined) parts.set(text, { name: key, count: 1 });
    else known.count += 1;
    // What stands in a part that is known has been counted with it.
    if (known === undefined) changed(part, key, countedPart);
  };
  const countedPart = (part: JsonSchema, key: string): JsonSchema => {
    count(part, key);
    return part;
  };
  changed(schema, 'experiment', countedPart);

  const names = new Map<string, string>();
  const definitions: Record<string, JsonSchema> = {};
  const shared = (part: JsonSchema, key: string): JsonSchema => {
    const text = JSON.stringify(part);
    const { name, count: occurrences } = parts.get(text)!;
    if (occurrences === 1 || text.length < SHARED_LENGTH_MIN) return changed(part, key, shared);
    const given = names.get(text) ?? freeName(name, definitions);
    if (!names.has(text)) {
      names.set(text, given);
      // Its place first, so that definitions stand in the order in which they are met.
      definitions[given] = {};
      definitions[given] = changed(part, key, shared);
    }
    return { $ref: `#/$defs/${given}` };
  };
  const written = changed(schema, 'experiment', shared);
  return { ...written, $defs: definitions };
}

function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let number = 1;
  const numbered = (): string => (number === 1 ? name : `${name}_${number}`);
  while (numbered() in taken) number += 1;
  return numbered();
}

/** A schema with the schemas that stand in it changed. @param key that it stands under itself */
function changed(schema: JsonSchema, key: string, change: (part: JsonSchema, key: string) => JsonSchema): JsonSchema {
  const changeIf = (value: unknown, under: string): unknown => (isRecord(value) ? change(value, under) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (SINGLE.includes(keyword)) return [keyword, changeIf(value, key)];
      if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map((each) => changeIf(each, key))];
      if (!NAMED.includes(keyword) || !isRecord(value)) return [keyword, value];
      const entries = Object.entries(value).map(([name, each]) => [name, changeIf(each, name)]);
      return [keyword, Object.fromEntries(entries)];
    }),
  );
}

import { branchesOf } from '../../specification/choose-branch.ts';
import type { JsonSchema } from '../../specification/json-schema.ts';
import { isRecord } from '../../specification/path.ts';
import { propertiesOf } from './find-part.ts';

/** What stands at a path of a document, in which `*` is the first of whatever there is. */
export function valueWithin(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, part) => {
    if (Array.isArray(node)) return (node as unknown[])[part === '*' ? 0 : Number(part)];
    if (!isRecord(node)) return undefined;
    return part === '*' ? Object.values(node)[0] : node[part];
  }, document);
}

/** A value that a schema accepts, as small as it can be without being empty. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined && !isEmpty(schema.default)) return schema.default;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return (schema.enum as unknown[])[0];
  const branches = branchesOf(schema, '').map((branch) => branch.schema);
  if (branches.length > 1) return exampleOf(branches.find(({ type }) => type !== 'null')!);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'string':
      return exampleText(schema);
    case 'boolean':
      return true;
    case 'array':
      return exampleArray(schema);
    case 'object':
      return exampleObject(schema);
    default:
      return null;
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function exampleNumber({ type, minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): number {
  const bound = (value: unknown) =>
    typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
  const low = bound(minimum) ?? bound(exclusiveMinimum) ?? 0;
  const high = bound(maximum) ?? bound(exclusiveMaximum) ?? low + 2;
  if (type === 'integer') return Math.min(Math.max(low, 1), high);
  return high - low <= 2 ? (low + high) / 2 : low + 1;
}

/** Texts of which a schema asks more than that they be texts are names, addresses or hashes. */
function exampleText({ pattern, format }: JsonSchema): string {
  if (format === 'uri' || (typeof pattern === 'string' && pattern.includes('http'))) return 'https://example.org/thaw';
  return typeof pattern === 'string' && pattern.includes('{64}') ? '0'.repeat(64) : 'name';
}

function exampleArray({ prefixItems, items, minItems }: JsonSchema): unknown[] {
  if (Array.isArray(prefixItems)) return (prefixItems as JsonSchema[]).map(exampleOf);
  const count = typeof minItems === 'number' ? Math.max(1, minItems) : 1;
  return isRecord(items) ? Array.from({ length: count }, () => exampleOf(items)) : [];
}

/** The keys that are required, or else the first. */
function exampleObject(schema: JsonSchema): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const keys = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  const shown = Object.fromEntries(keys.map((key) => [key, exampleOf(properties[key]!)]));
  if (Object.keys(shown).length > 0 || !isRecord(schema.additionalProperties)) return shown;
  return { name: exampleOf(schema.additionalProperties) };
}

import { acceptedChoices } from './describe-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { isRecord } from './path.ts';

/** One alternative of a union, with the schema path at which its errors are reported. */
export interface Branch {
  readonly schema: JsonSchema;
  readonly schemaPath: string;
}

export type BranchChoice =
  /** The alternative that was meant: only its errors are worth reading. */
  | { readonly kind: 'branch'; readonly branch: Branch }
  /** No alternative accepts a value of this type. */
  | { readonly kind: 'type' }
  /** The key that tells the alternatives apart is missing or names none of them. */
  | { readonly kind: 'discriminator'; readonly key: string; readonly choices: readonly string[] };

/** Alternatives of a union, those of unions inside it among them. */
export function branchesOf(schema: JsonSchema, schemaPath: string): Branch[] {
  const keyword = Array.isArray(schema.oneOf) ? 'oneOf' : 'anyOf';
  if (!Array.isArray(schema[keyword])) return [{ schema, schemaPath }];
  return (schema[keyword] as JsonSchema[]).flatMap((branch, index) =>
    branchesOf(branch, `${schemaPath}/${keyword}/${index}`),
  );
}

/** Which alternative a value was meant to be: by its type, then by the keys whose values tell objects apart. */
export function chooseBranch(value: unknown, branches: readonly Branch[]): BranchChoice {
  let candidates = branches.filter(({ schema }) => acceptsType(schema, value));
  if (candidates.length === 0) return { kind: 'type' };
  while (candidates.length > 1 && isRecord(value)) {
    const key = discriminatorOf(candidates);
    if (key === undefined) break;
    const choices = [...new Set(candidates.flatMap(({ schema }) => choicesOf(schema, key)))];
    const chosen = candidates.filter(({ schema }) => choicesOf(schema, key).includes(JSON.stringify(value[key])));
    if (chosen.length === 0) return { kind: 'discriminator', key, choices };
    if (chosen.length === candidates.length) break;
    candidates = chosen;
  }
  return { kind: 'branch', branch: candidates[0]! };
}

/** The first key that every alternative fixes and not all of them to the same value. */
function discriminatorOf(branches: readonly Branch[]): string | undefined {
  const keys = Object.keys(branches[0]!.schema.properties ?? {});
  const shared = keys.filter((key) => branches.every(({ schema }) => choicesOf(schema, key).length > 0));
  const differs = (key: string) => new Set(branches.map(({ schema }) => choicesOf(schema, key).join())).size > 1;
  return shared.find(differs);
}

function choicesOf(schema: JsonSchema, key: string): readonly string[] {
  const property = ((schema.properties ?? {}) as Record<string, JsonSchema>)[key];
  return (property === undefined ? null : acceptedChoices(property)) ?? [];
}

function acceptsType(schema: JsonSchema, value: unknown): boolean {
  switch (schema.type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'null':
      return value === null;
    case 'string':
    case 'boolean':
      return typeof value === schema.type;
    default:
      return true;
  }
}

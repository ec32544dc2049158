import { branchesOf, chooseBranch } from './choose-branch.ts';
import type { JsonSchema } from './json-schema.ts';
import { isRecord, type Path } from './path.ts';

/** Keys whose value says what the object is, so that another value makes another thing of it. */
const DISCRIMINATORS = ['kind', 'name'] as const;

/**
 * A variant's override merged over the experiment, both as they are written: objects deep, arrays replaced, null
 * removes a key. An override that changes what an object is keeps of the old object only the keys that the new kind
 * has as well.
 * @param schema of the whole document; it tells which keys a kind has
 */
export function mergeDocuments(base: unknown, override: unknown, schema: JsonSchema, path: Path = []): unknown {
  if (!isRecord(override)) return override;
  const old = isRecord(base) ? base : {};
  const kept = changesKind(old, override) ? keysOfKind(old, { ...old, ...override }, schema, path) : old;
  const merged = Object.entries({ ...kept, ...override }).flatMap(([key, value]): [string, unknown][] => {
    if (!Object.hasOwn(override, key)) return [[key, value]];
    return value === null ? [] : [[key, mergeDocuments(kept[key], value, schema, [...path, key])]];
  });
  return Object.fromEntries(merged);
}

function changesKind(base: Record<string, unknown>, override: Record<string, unknown>): boolean {
  return DISCRIMINATORS.some(
    (key) => typeof base[key] === 'string' && typeof override[key] === 'string' && base[key] !== override[key],
  );
}

function keysOfKind(
  base: Record<string, unknown>,
  merged: Record<string, unknown>,
  schema: JsonSchema,
  path: Path,
): Record<string, unknown> {
  const place = schemaAt(schema, path);
  const choice = place === undefined ? undefined : chooseBranch(merged, branchesOf(place, ''));
  const known = choice?.kind === 'branch' ? ((choice.branch.schema.properties ?? {}) as JsonSchema) : {};
  return Object.fromEntries(Object.entries(base).filter(([key]) => Object.hasOwn(known, key)));
}

/** The schema of what stands at a path of objects. */
function schemaAt(schema: JsonSchema, path: Path): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((node, part) => {
    const properties = (node?.properties ?? {}) as Record<string, JsonSchema>;
    const rest = node?.additionalProperties;
    return properties[String(part)] ?? (isRecord(rest) ? rest : undefined);
  }, schema);
}

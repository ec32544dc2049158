import { branchesOf } from './choose-branch.ts';
import type { Finding } from './finding.ts';
import type { JsonSchema } from './json-schema.ts';
import { listNames, nearestName } from './nearest.ts';
import { isRecord, type Path } from './path.ts';

/** What a variant is merged into, and what could stand there. */
interface Place {
  readonly base: unknown;
  /** Every alternative. */
  readonly schemas: readonly JsonSchema[];
  readonly path: Path;
}

/**
 * Keys that a variant removes with null and that nothing has: neither the experiment nor the schema. The merge would pass
 * over them without a word, and so over a typo.
 * @param parameters paths that a range can be of
 */
export function checkRemovals(
  base: unknown,
  override: unknown,
  schema: JsonSchema,
  parameters: readonly string[],
): Finding[] {
  return removalsIn(
    override,
    { base, schemas: branchesOf(schema, '').map((branch) => branch.schema), path: [] },
    parameters,
  );
}

function removalsIn(override: unknown, place: Place, parameters: readonly string[]): Finding[] {
  if (!isRecord(override)) return [];
  const known = [...new Set([...keysAt(place), ...(place.path[0] === 'randomization' ? parameters : [])])];
  return Object.entries(override).flatMap(([key, value]) => {
    if (value !== null) return removalsIn(value, placeBelow(place, key), parameters);
    return known.includes(key) ? [] : [idleRemoval([...place.path, key], key, known)];
  });
}

function keysAt({ base, schemas }: Place): string[] {
  return [
    ...(isRecord(base) ? Object.keys(base) : []),
    ...schemas.flatMap((schema) => Object.keys(schema.properties ?? {})),
  ];
}

function placeBelow({ base, schemas, path }: Place, key: string): Place {
  const below = schemas.flatMap(({ properties, additionalProperties: rest }) => {
    const own = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : rest;
    return isRecord(own) ? branchesOf(own, '').map((branch) => branch.schema) : [];
  });
  const inner = isRecord(base) && Object.hasOwn(base, key) ? base[key] : undefined;
  return { base: inner, schemas: below, path: [...path, key] };
}

function idleRemoval(path: Path, key: string, known: readonly string[]): Finding {
  const nearest = nearestName(key, known);
  return {
    path,
    found: `null for the unknown key ${JSON.stringify(key)}: there is nothing to remove`,
    expected: known.length === 0 ? 'no key' : `one of the keys ${listNames(known, 40)}`,
    ...(nearest === undefined ? {} : { nearest }),
    remedy: nearest === undefined ? 'Remove the key.' : `Rename it to "${nearest}", or remove it.`,
  };
}

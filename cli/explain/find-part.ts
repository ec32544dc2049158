import { ThawError } from '../../schemas/errors.ts';
import { branchesOf } from '../../specification/choose-branch.ts';
import { acceptedChoices } from '../../specification/describe-schema.ts';
import type { JsonSchema } from '../../specification/json-schema.ts';
import { listNames, nearestName } from '../../specification/nearest.ts';
import { isRecord } from '../../specification/path.ts';

/** A part of a schema with the path it was found at; several where alternatives have a key of the same name. */
export interface FoundPart {
  readonly path: readonly string[];
  /** The last of the path that is a key and not the choice of an alternative. */
  readonly key: string;
  readonly schemas: readonly JsonSchema[];
  /** The object that holds the key requires it. */
  readonly isRequired: boolean;
}

const PART = /\.?\["((?:[^"\\]|\\.)*)"\]|\.?\[([^\]]*)\]|\.?([^.[\]]+)/g;

/** `panels.test[0]`, `variants.*.strategy`, `randomization["rules.damping"]` as keys. */
export function partsOf(path: string): string[] {
  return [...path.matchAll(PART)].map(([, quoted, index, plain]) => quoted ?? plain ?? (index === '' ? '*' : index!));
}

/**
 * What a schema says at a path. A key by itself is found wherever the only one of its name is, so `learning_rate` will do.
 * @throws REQUEST_BAD_ARGUMENT with the nearest key
 */
export function findPart(schema: JsonSchema, parts: readonly string[]): FoundPart {
  let found: FoundPart = { path: [], key: '', schemas: [schema], isRequired: true };
  for (const [index, part] of parts.entries()) {
    const next = stepInto(found.schemas, part);
    if (next.schemas.length === 0) return parts.length === 1 ? findByName(schema, part) : refuse(found, part);
    const isFree = found.schemas.flatMap(keysOf).every((key) => key !== part);
    const { isChoice, ...inner } = next;
    found = { path: [...found.path, part], key: isChoice ? found.key : part, ...inner };
    // Keys that hold dots themselves, such as `randomization.rules.damping`, may also stand without quotes.
    if (isFree && next.schemas.every((each) => keysOf(each).length === 0 && each.type === 'array')) {
      const rest = parts.slice(index).join('.');
      return { ...found, path: [...found.path.slice(0, -1), rest], key: rest };
    }
  }
  return found;
}

interface Step extends Pick<FoundPart, 'schemas' | 'isRequired'> {
  /** Whether the part chose an alternative. */
  readonly isChoice: boolean;
}

function stepInto(schemas: readonly JsonSchema[], part: string): Step {
  const branches = schemas.flatMap((schema) => branchesOf(schema, '').map((branch) => branch.schema));
  const named = branches.filter((branch) => Object.hasOwn(propertiesOf(branch), part));
  if (named.length > 0) {
    return {
      schemas: distinct(named.map((branch) => propertiesOf(branch)[part]!)),
      isRequired: named.every(({ required }) => Array.isArray(required) && required.includes(part)),
      isChoice: false,
    };
  }
  const chosen = branches.length > 1 ? branches.filter((branch) => valuesOf(branch).includes(part)) : [];
  if (chosen.length > 0) return { schemas: distinct(chosen), isRequired: false, isChoice: true };
  return { schemas: distinct(branches.flatMap((branch) => innerOf(branch, part))), isRequired: false, isChoice: false };
}

/** What stands under a key or an index that may be any. */
function innerOf(branch: JsonSchema, part: string): JsonSchema[] {
  if (isRecord(branch.additionalProperties)) return [branch.additionalProperties];
  if (part === '*' && branch.properties !== undefined) return Object.values(propertiesOf(branch)).slice(0, 1);
  if (!/^(\*|[0-9]+)$/.test(part)) return [];
  const listed = (branch.prefixItems ?? []) as JsonSchema[];
  const inner = listed[part === '*' ? 0 : Number(part)] ?? branch.items;
  return isRecord(inner) ? [inner] : [];
}

/** Keys of an object, and the values that choose among alternatives. */
export function keysOf(schema: JsonSchema): string[] {
  const branches = branchesOf(schema, '').map((branch) => branch.schema);
  const values = branches.length > 1 ? branches.flatMap(valuesOf) : [];
  return [...new Set([...branches.flatMap((branch) => Object.keys(propertiesOf(branch))), ...values])];
}

/** The values of the key that tells alternatives apart: `kind`, or `name` where the kinds are the same. */
export function valuesOf(branch: JsonSchema): string[] {
  const { kind, name } = propertiesOf(branch);
  const textsOf = (schema: JsonSchema | undefined) =>
    (schema === undefined ? [] : (acceptedChoices(schema) ?? [])).map((choice) => String(JSON.parse(choice)));
  return [...textsOf(name), ...textsOf(kind)];
}

export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function findByName(schema: JsonSchema, name: string): FoundPart {
  const places = placesOf(schema, name, []);
  if (places.length === 1) return findPart(schema, places[0]!);
  if (places.length === 0)
    return refuse(
      { path: [], schemas: [schema] },
      name,
      placesOf(schema, null, []).map((place) => place.at(-1)!),
    );
  const written = places.map((place) => place.join('.'));
  throw new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `The key "${name}" stands in several places: ${listNames(written, 12)}.`,
    {
      remedy: `Name one of them, e.g. thaw explain ${written[0]}.`,
    },
  );
}

/** Where keys of a name stand, or all keys. Variants repeat the experiment, and are not looked into. */
function placesOf(schema: JsonSchema, name: string | null, above: readonly string[]): string[][] {
  const branches = branchesOf(schema, '').map((branch) => branch.schema);
  const places = branches.flatMap((branch) => {
    const value = branches.length > 1 ? valuesOf(branch).slice(0, 1) : [];
    const inside = [...above, ...value];
    const own = Object.entries(propertiesOf(branch)).filter(([key]) => key !== 'variants' || above.length > 0);
    const free = isRecord(branch.additionalProperties)
      ? placesOf(branch.additionalProperties, name, [...inside, '*'])
      : [];
    return [
      ...own.flatMap(([key, inner]) => [
        ...(name === null || key === name ? [[...inside, key]] : []),
        ...placesOf(inner, name, [...inside, key]),
      ]),
      ...free,
    ];
  });
  return [...new Map(places.map((place) => [place.join('.'), place])).values()];
}

/** @param others keys elsewhere that may be meant */
function refuse(
  { path, schemas }: Pick<FoundPart, 'path' | 'schemas'>,
  part: string,
  others: readonly string[] = [],
): never {
  const known = [...new Set(schemas.flatMap(keysOf))];
  const place = path.length === 0 ? 'A spec' : `"${path.join('.')}"`;
  const nearest = nearestName(part, known) ?? nearestName(part, others);
  const there = known.length === 0 ? 'has no keys' : `has no key "${part}"; there are ${listNames(known, 40)}`;
  throw new ThawError('REQUEST_BAD_ARGUMENT', `${place} ${there}.`, {
    remedy:
      nearest === undefined
        ? 'Name one of these; `thaw explain` alone shows the keys of a spec.'
        : `Did you mean thaw explain ${[...path, nearest].join('.')}?`,
  });
}

function distinct(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

import type { ErrorObject } from 'ajv';
import { type Branch, branchesOf, chooseBranch } from './choose-branch.ts';
import { customaryPlace } from './customary-names.ts';
import { acceptedChoices, describeSchema } from './describe-schema.ts';
import { describeValue, type Finding } from './finding.ts';
import type { JsonSchema } from './json-schema.ts';
import { listNames, nearestName } from './nearest.ts';
import { isRecord, type Path, valueAt } from './path.ts';

/**
 * Turns what ajv reports about a document into findings. Of a union only the errors of the alternative that was meant
 * are kept, because the others complain about what nobody wrote.
 * @param errors made with `allErrors` and `verbose`
 */
export function findingsFrom(errors: readonly ErrorObject[], document: unknown): Finding[] {
  const union = outermostUnion(errors);
  if (union === undefined) return errors.flatMap((error) => findingsOf(error, document));
  const isInside = (error: ErrorObject) =>
    error === union ||
    (isBelow(error.instancePath, union.instancePath) && error.schemaPath.startsWith(`${union.schemaPath}/`));
  return [
    ...findingsFrom(
      errors.filter((error) => !isInside(error)),
      document,
    ),
    ...unionFindings(union, errors.filter(isInside), document),
  ];
}

function outermostUnion(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return errors
    .filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
    .reduce<ErrorObject | undefined>(
      (outer, error) => (outer === undefined || error.schemaPath.length < outer.schemaPath.length ? error : outer),
      undefined,
    );
}

function isBelow(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

function unionFindings(union: ErrorObject, inside: readonly ErrorObject[], document: unknown): Finding[] {
  const path = pathFrom(union.instancePath, document);
  const schema = { [union.keyword]: union.schema } satisfies JsonSchema;
  const branches = branchesOf(schema, union.schemaPath.slice(0, -union.keyword.length - 1));
  const choice = chooseBranch(union.data, branches);
  if (choice.kind === 'type')
    return [
      typeFinding(
        path,
        union.data,
        branches.map(({ schema }) => schema),
      ),
    ];
  if (choice.kind === 'discriminator') {
    const { key, choices } = choice;
    const finding = choiceFinding([...path, key], valueAt(union.data, [key]), choices);
    return [{ ...finding, ...missingChoice(union.data, key, branches) }];
  }
  const { schemaPath } = choice.branch;
  return findingsFrom(
    inside.filter((error) => error.schemaPath.startsWith(`${schemaPath}/`)),
    document,
  );
}

/** The key that tells the alternatives apart is missing; one that no alternative has, and may be meant, stands there. */
function missingChoice(value: unknown, key: string, branches: readonly Branch[]): Partial<Finding> {
  if (!isRecord(value) || Object.hasOwn(value, key)) return {};
  const known = new Set(branches.flatMap(({ schema }) => Object.keys(schema.properties ?? {})));
  const unknown = Object.keys(value).filter((name) => !known.has(name));
  const written = nearestName(key, unknown) ?? (unknown.length === 1 ? unknown[0] : undefined);
  if (written === undefined) return {};
  const found = `the unknown key ${describeValue(written)} instead`;
  return { found, nearest: key, remedy: `Rename ${describeValue(written)} to "${key}", if that is what was meant.` };
}

function findingsOf(error: ErrorObject, document: unknown): Finding[] {
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  const params = error.params as Record<string, unknown>;
  const path = pathFrom(error.instancePath, document);
  const at = error.propertyName === undefined ? path : [...path, error.propertyName];
  const value: unknown = error.propertyName ?? error.data;
  switch (error.keyword) {
    case 'additionalProperties':
      return [unknownKeyFinding(path, params.additionalProperty as string, schema)];
    case 'required':
      return [missingFinding(path, params.missingProperty as string, schema)];
    case 'type':
      return [typeFinding(at, value, [schema])];
    case 'enum':
    case 'const':
      return [choiceFinding(at, value, acceptedChoices(schema) ?? [])];
    case 'uniqueItems':
      return [repeatedFinding(path, value as unknown[], params as { i: number; j: number })];
    case 'minProperties':
      return [{ path, found: describeValue(value), expected: 'at least one entry', remedy: 'Add an entry.' }];
    case 'propertyNames':
      return [];
    default:
      return [rangeFinding(at, value, schema, error)];
  }
}

function unknownKeyFinding(path: Path, key: string, schema: JsonSchema): Finding {
  const known = Object.keys(schema.properties ?? {});
  const customary = customaryPlace(path, key, known);
  const nearest = customary === null ? nearestName(key, known) : customary.renamed;
  // A schema may say where else a key would have to be declared.
  const { $comment: elsewhere = 'Remove the key.' } = schema as { $comment?: string };
  const renaming = nearest === undefined ? elsewhere : `Rename it to "${nearest}", or remove it.`;
  return {
    path: [...path, key],
    found: `the unknown key ${JSON.stringify(key)}`,
    expected: known.length === 0 ? 'no key' : `one of the keys ${listNames(known, 40)}`,
    ...(nearest === undefined ? {} : { nearest }),
    remedy: customary?.moved === undefined ? renaming : `Write it as ${customary.moved}.`,
  };
}

function missingFinding(path: Path, key: string, schema: JsonSchema): Finding {
  const property = ((schema.properties ?? {}) as Record<string, JsonSchema>)[key] ?? {};
  return { path: [...path, key], found: 'nothing', expected: describeSchema(property), remedy: `Add "${key}".` };
}

function typeFinding(path: Path, value: unknown, schemas: readonly JsonSchema[]): Finding {
  const expected = [...new Set(schemas.map(describeSchema))].join(', or ');
  const isNumberExpected = schemas.some(({ type }) => type === 'number' || type === 'integer');
  if (isNumberExpected && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) {
    const remedy = `Write the number without quotes: ${Number(value)}.`;
    return { path, found: `the text ${describeValue(value)}`, expected, remedy };
  }
  return {
    path,
    found: `${typeName(value)} ${describeValue(value)}`.trim(),
    expected,
    remedy: 'Write a value of that kind.',
  };
}

function typeName(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return 'the array';
  const names: Record<string, string> = { object: 'the object', string: 'the text', number: 'the number', boolean: '' };
  return names[typeof value] ?? '';
}

function choiceFinding(path: Path, value: unknown, choices: readonly string[]): Finding {
  const names = choices.map((choice) => String(JSON.parse(choice)));
  const nearest = typeof value === 'string' ? nearestName(value, names) : undefined;
  return {
    path,
    found: describeValue(value),
    expected: choices.length === 1 ? choices[0]! : `one of ${listNames(choices, 40)}`,
    ...(nearest === undefined ? {} : { nearest }),
    remedy: nearest === undefined ? 'Write what is expected.' : `Write "${nearest}", if that is what was meant.`,
  };
}

function repeatedFinding(path: Path, items: readonly unknown[], { i, j }: { i: number; j: number }): Finding {
  const [first, second] = i < j ? [i, j] : [j, i];
  return {
    path: [...path, second],
    found: `${describeValue(items[second])} a second time (it is entry ${first} too)`,
    expected: 'every entry once',
    remedy: 'Remove the repeated entry.',
  };
}

function rangeFinding(path: Path, value: unknown, schema: JsonSchema, error: ErrorObject): Finding {
  const isSize = ['minItems', 'maxItems', 'minLength', 'maxLength', 'maxProperties'].includes(error.keyword);
  const size = Array.isArray(value) ? `${value.length} entries` : `${String(value).length} characters`;
  const found = isSize && typeof value !== 'object' ? `${describeValue(value)} (${size})` : describeValue(value);
  const expected = isSize ? describeSize(error) : describeSchema(schema);
  return { path, found, expected, remedy: 'Choose a value that fits.' };
}

function describeSize(error: ErrorObject): string {
  const { limit } = error.params as { limit: number };
  const [one, many] = error.keyword.endsWith('Length') ? ['character', 'characters'] : ['entry', 'entries'];
  return `${error.keyword.startsWith('min') ? 'at least' : 'at most'} ${limit} ${limit === 1 ? one : many}`;
}

/** A JSON pointer as a path; only the document tells whether "1" is an index or a key. */
function pathFrom(pointer: string, document: unknown): Path {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let node = document;
  return parts.map((part) => {
    const step = Array.isArray(node) ? Number(part) : part;
    node = valueAt(node, [step]);
    return step;
  });
}

import { describeSchema } from '../../specification/describe-schema.ts';
import type { JsonSchema } from '../../specification/json-schema.ts';
import { plainJson } from '../../web/documents/plain-json.ts';
import { propertiesOf } from './find-part.ts';
import { alternativesOf } from './part-words.ts';

/** What is told of a part beside its schema. */
export interface PartContext {
  readonly path: string;
  /** The key under which it stands. */
  readonly key: string;
  readonly isRequired: boolean;
  readonly example: unknown;
  readonly choices: Readonly<Record<string, string>>;
  readonly place: string;
  readonly guide: string;
  /** Characters of a line. */
  readonly width: number;
}

const LABEL = 11;
const INDENT = '  ';

/** A part of the schema in words. */
export function partText(schema: JsonSchema, context: PartContext): string {
  const { path, key, isRequired, example, place, guide, width } = context;
  const isWhole = path === '';
  const facts: [string, string][] = [
    ['is', typeText(schema)],
    ...(schema.default === undefined ? [] : [['default', shortJson(schema.default)] as [string, string]]),
    ...(isRequired && !isWhole ? [['needed', 'yes'] as [string, string]] : []),
    ...(isWhole ? [] : [['example', exampleText(key, example)] as [string, string]]),
    ['stands', place],
    ['more', guide],
  ];
  return [
    isWhole ? 'experiment' : path,
    ...wrapped(descriptionOf(schema), INDENT, INDENT, width),
    '',
    ...facts.flatMap(([label, text]) => wrapped(text, INDENT + label.padEnd(LABEL), INDENT + ' '.repeat(LABEL), width)),
    ...listText(schema, context),
  ].join('\n');
}

/** Alternatives, choices or keys, one a line. */
function listText(schema: JsonSchema, { choices, path, width }: PartContext): string[] {
  const alternatives = alternativesOf(schema);
  if (alternatives !== null) {
    const rows = alternatives.map(({ value, schema: branch }): [string, string] => [
      value,
      choices[value] ?? descriptionOf(branch),
    ]);
    return [
      ...titled('one of', rows, width),
      '',
      `${INDENT}thaw explain ${typed(`${path}.${rows[0]![0]}`)}  tells of one of them.`,
    ];
  }
  if (Array.isArray(schema.enum)) {
    const rows = schema.enum.map((value): [string, string] => [String(value), choices[String(value)] ?? '']);
    return rows.some(([, words]) => words !== '') ? titled('one of', rows, width) : [];
  }
  const required = (schema.required ?? []) as readonly string[];
  // What chooses an alternative stands in its path.
  const own = Object.entries(propertiesOf(schema)).filter(([, inner]) => !('const' in inner && path !== ''));
  const rows = own.map(([key, inner]): [string, string] => [key, keyText(inner, required.includes(key))]);
  return rows.length === 0 ? [] : titled('keys', rows, width);
}

/** A path as it is typed in a shell, which gives a star a meaning of its own. */
function typed(path: string): string {
  return path.includes('*') ? `'${path}'` : path;
}

function keyText(schema: JsonSchema, isRequired: boolean): string {
  const { default: fallback } = schema;
  const note = isRequired
    ? ' (needed)'
    : fallback === undefined || isLong(fallback)
      ? ''
      : ` (default ${shortJson(fallback)})`;
  return `${descriptionOf(schema)}${note}`;
}

function descriptionOf({ description }: JsonSchema): string {
  return typeof description === 'string' ? description : '';
}

function isLong(value: unknown): boolean {
  return shortJson(value).length > 40 || shortJson(value) === '{}';
}

function titled(title: string, rows: readonly [string, string][], width: number): string[] {
  const column = Math.min(28, Math.max(...rows.map(([name]) => name.length))) + 2;
  const inner = INDENT + INDENT;
  return [
    '',
    INDENT + title,
    ...rows.flatMap(([name, text]) => wrapped(text, inner + name.padEnd(column), inner + ' '.repeat(column), width)),
  ];
}

function typeText(schema: JsonSchema): string {
  if (alternativesOf(schema) !== null) return 'an object of one of the kinds below';
  return schema.type === 'object' ? 'an object' : describeSchema(schema);
}

/** The key with its value, as it stands in a file. */
function exampleText(key: string, example: unknown): string {
  const isKey = !/^(\*|[0-9]+)$/.test(key);
  return isKey ? `${JSON.stringify(key)}: ${shortJson(example)}` : shortJson(example);
}

/** JSON in one line, with spaces as people write it. */
export function shortJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shortJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return plainJson(value);
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${shortJson(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Text in lines of a width, the first after `first`, the others after `next`. */
function wrapped(text: string, first: string, next: string, width: number): string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(' ')) {
    if (`${line} ${word}`.length > width && line.trim() !== '' && line !== next) {
      lines.push(line.trimEnd());
      line = next;
    }
    line += line === first || line === next ? word : ` ${word}`;
  }
  return text === '' && first.trim() === '' ? [] : [...lines, line.trimEnd()];
}

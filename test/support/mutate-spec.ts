import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { formatPath, isRecord, type Path, valueAt, withoutPaths } from '../../specification/path.ts';

/** A spec that somebody, or something, has damaged. */
export interface Mutant {
  /** Of the file. */
  readonly text: string;
  /** `--set` arguments. */
  readonly overrides: readonly string[];
  /** What was done to it. */
  readonly changes: readonly string[];
}

/** Stands for text that JSON.stringify would not write. */
const RAW = '\uE000';

const STRANGE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  '0',
  '-1',
  '../..',
  'ключ',
  '\u202Ename',
  '💥',
  'a.b',
  'a"b',
  'a\nb',
  '$schema',
  'name',
  'kind',
  'x'.repeat(5000),
];

const NUMBERS = [0, -1, 0.5, 1e-9, 1.5e300, -1e300, 2 ** 31, 2 ** 53, 2 ** 64, 4_294_967_296, 100_001];

const STRANGE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  '',
  'NaN',
  'Infinity',
  '-1',
  '1e999',
  '0x10',
  'null',
  '__proto__',
  'constructor',
  'a\u0000b',
  '\uD800',
  'x'.repeat(20_000),
  '../../etc/passwd',
  '\u001b[31m',
  [],
  {},
  [[]],
  [null],
  { '': null },
  { kind: 'pool' },
  { kind: 'constructor' },
  { name: 'ippo' },
  ...NUMBERS,
  `${RAW}1e999${RAW}`,
  `${RAW}-1e999${RAW}`,
  `${RAW}1${'0'.repeat(400)}${RAW}`,
  `${RAW}-0${RAW}`,
  `${RAW}NaN${RAW}`,
  `${RAW}${'['.repeat(100_000)}${RAW}`,
  `${RAW}{"constructor":{"prototype":1}}${RAW}`,
];

type Change = (document: unknown, random: RandomStream) => { document: unknown; change: string } | null;

const below = (random: RandomStream, count: number): number => random.nextInteger(count);
const pick = <Item>(random: RandomStream, items: readonly Item[]): Item => items[below(random, items.length)]!;

/** Every place of a document, the document itself left out. */
export function placesOf(document: unknown, path: Path = []): Path[] {
  const keys = Array.isArray(document)
    ? document.map((_, index) => index)
    : isRecord(document)
      ? Object.keys(document)
      : [];
  return keys.flatMap((key) => [
    [...path, key],
    ...placesOf((document as Record<string, unknown>)[key], [...path, key]),
  ]);
}

/** Places that are keys of objects. */
export function keysOf(document: unknown): Path[] {
  return placesOf(document).filter((place) => typeof place.at(-1) === 'string');
}

/** A copy in which something else stands at a place. */
export function withValue(document: unknown, [part, ...rest]: Path, value: unknown): unknown {
  if (part === undefined) return value;
  if (Array.isArray(document)) return document.with(Number(part), withValue(document[Number(part)], rest, value));
  const record = document as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(record).map(([key, inner]) => [key, key === part ? withValue(inner, rest, value) : inner]),
  );
}

/** A copy in which a key has another name, at the same place among its siblings. */
export function withKey(document: unknown, place: Path, name: string): unknown {
  const outer = place.slice(0, -1);
  const entries = Object.entries(valueAt(document, outer) as object).map(
    ([key, value]) => [key === place.at(-1) ? name : key, value] as const,
  );
  return withValue(document, outer, Object.fromEntries(entries));
}

/** A word with one letter left out, doubled, exchanged or replaced. */
export function typoOf(word: string, random: RandomStream): string {
  const at = below(random, word.length);
  const [head, letter, tail] = [word.slice(0, at), word[at] ?? 'x', word.slice(at + 1)];
  return pick(random, [
    head + tail,
    head + letter + letter + tail,
    `${head}${tail.slice(0, 1)}${letter}${tail.slice(1)}`,
    `${head}x${tail}`,
  ]);
}

const anyPlace = (document: unknown, random: RandomStream): Path => pick(random, placesOf(document));

const CHANGES: Readonly<Record<string, Change>> = {
  delete(document, random) {
    const place = anyPlace(document, random);
    return { document: withoutPaths(document, [place]), change: `without ${formatPath(place)}` };
  },
  typo(document, random) {
    const place = pick(random, keysOf(document));
    const name = typoOf(String(place.at(-1)), random);
    return { document: withKey(document, place, name), change: `${formatPath(place)} called ${name}` };
  },
  strangeKey(document, random) {
    const place = pick(random, keysOf(document));
    const name = pick(random, STRANGE_KEYS);
    return { document: withKey(document, place, name), change: `${formatPath(place)} called ${name.slice(0, 20)}` };
  },
  added(document, random) {
    const places = [[], ...placesOf(document)].filter((place) => isRecord(valueAt(document, place)));
    const [place, name] = [pick(random, places), pick(random, STRANGE_KEYS)];
    const record = valueAt(document, place) as object;
    const changed = withValue(
      document,
      place,
      Object.fromEntries([...Object.entries(record), [name, pick(random, STRANGE_VALUES)]]),
    );
    return { document: changed, change: `${name.slice(0, 20)} added to ${formatPath(place)}` };
  },
  strangeValue(document, random) {
    const place = anyPlace(document, random);
    const value = pick(random, STRANGE_VALUES);
    return {
      document: withValue(document, place, value),
      change: `${formatPath(place)} = ${JSON.stringify(value).slice(0, 40)}`,
    };
  },
  number(document, random) {
    const places = placesOf(document).filter((place) => typeof valueAt(document, place) === 'number');
    if (places.length === 0) return null;
    const place = pick(random, places);
    const old = valueAt(document, place) as number;
    const value = pick(random, [...NUMBERS, -old, old + 0.5, old * 1e6, old + 1, old - 1, String(old)]);
    return { document: withValue(document, place, value), change: `${formatPath(place)} = ${value}` };
  },
  arrayAsObject(document, random) {
    const places = placesOf(document).filter((place) => typeof valueAt(document, place) === 'object');
    const place = pick(random, places);
    const value = valueAt(document, place);
    const other = Array.isArray(value) ? { ...value } : Object.values(value ?? {});
    return { document: withValue(document, place, other), change: `${formatPath(place)} with its other brackets` };
  },
  wrapped(document, random) {
    const place = anyPlace(document, random);
    const depth = pick(random, [1, 2, 70]);
    const value = Array.from({ length: depth }).reduce<unknown>((inner) => [inner], valueAt(document, place));
    return { document: withValue(document, place, value), change: `${formatPath(place)} within ${depth} arrays` };
  },
  exchanged(document, random) {
    const [one, other] = [anyPlace(document, random), anyPlace(document, random)];
    const values = [valueAt(document, one), valueAt(document, other)];
    const changed = withValue(document, one, values[1]);
    if (valueAt(changed, other) === undefined) return null;
    return {
      document: withValue(changed, other, values[0]),
      change: `${formatPath(one)} and ${formatPath(other)} exchanged`,
    };
  },
  exchangedNames(document, random) {
    const texts = placesOf(document).filter((place) => typeof valueAt(document, place) === 'string');
    const [one, other] = [pick(random, texts), pick(random, texts)];
    return {
      document: withValue(document, one, valueAt(document, other)),
      change: `${formatPath(one)} as ${formatPath(other)}`,
    };
  },
  misspelt(document, random) {
    const texts = placesOf(document).filter((place) => typeof valueAt(document, place) === 'string');
    const place = pick(random, texts);
    const word = typoOf(String(valueAt(document, place)), random);
    return { document: withValue(document, place, word), change: `${formatPath(place)} = ${word}` };
  },
};

/** Damage to the text itself. */
const TEXT_CHANGES: readonly ((text: string, random: RandomStream) => string)[] = [
  (text, random) => text.slice(0, below(random, text.length)),
  (text, random) => {
    const at = below(random, text.length);
    return `${text.slice(0, at)}${pick(random, ['"', '{', '}', ',', ':', '\\', '\u0000', '\uFEFF', '//', "'", '0'])}${text.slice(at + 1)}`;
  },
  (text) => `\uFEFF${text}`,
  (text) => text.replace('"name"', '"name": "first", "name"'),
  (text) => text.replace('{', '{"variants": {}, '),
  (text) => `[${text}]`,
  (text) => `${text}${text}`,
  () => '',
  () => 'null',
  () => '\u0000\u0001\u0002',
];

/** Values and places that `--set` may be given. */
function overrideOf(document: unknown, random: RandomStream): string {
  const place = formatPath(anyPlace(document, random));
  const path = pick(random, [
    place,
    place,
    place,
    `${place}.${pick(random, STRANGE_KEYS)}`,
    typoOf(place, random),
    `${place}[0]`,
    '',
    '..',
    '[',
    '["',
    '["a\\q"]',
    'a=',
  ]);
  return `${path}=${pick(random, ['0', '-1', '1e999', 'null', '[]', '{}', '"x"', 'NaN', '{"__proto__":1}', '', '"', '[1,', '1e400'])}`;
}

/** One of the mutants of some documents. The same seed and index give the same mutant. */
export function mutantOf(documents: readonly unknown[], seed: number, index: number): Mutant {
  const random = new RandomStream(keyFrom(seed, index));
  let document = pick(random, documents);
  const changes: string[] = [];
  const count = 1 + (below(random, 3) === 0 ? below(random, 4) : 0);
  const original = document;
  while (changes.length < count) {
    // Nothing may be left to change.
    if (placesOf(document).length === 0) break;
    const kind = pick(random, Object.keys(CHANGES));
    const changed = applicable(CHANGES[kind]!, document, random);
    if (changed === null) continue;
    document = changed.document;
    changes.push(`${kind}: ${changed.change}`);
  }
  let text = writtenText(document);
  if (below(random, 12) === 0) {
    text = pick(random, TEXT_CHANGES)(text, random);
    changes.push('text');
  }
  const overrides = below(random, 8) === 0 ? [overrideOf(original, random)] : [];
  return { text, overrides, changes };
}

/** A change for which a document has no place is none. */
function applicable(change: Change, document: unknown, random: RandomStream): ReturnType<Change> {
  try {
    return change(document, random);
  } catch {
    return null;
  }
}

function writtenText(document: unknown): string {
  return JSON.stringify(document).replaceAll(
    new RegExp(`"${RAW}([^${RAW}]*)${RAW}"`, 'g'),
    (_, raw: string) => JSON.parse(`"${raw}"`) as string,
  );
}

/** A place in a document: keys of objects and indices of arrays, from the outside in. */
export type Path = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

/** A path as people write it: `panels.test[0]`, `randomization["rules.damping"]`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!PLAIN_KEY.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

const PART = /\.?([A-Za-z_$][A-Za-z0-9_$-]*)|\[(0|[1-9][0-9]*)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** The inverse of `formatPath`; null when the text is no path. A key of a seat may also be written `partners.1`. */
export function parsePath(text: string): Path | null {
  const path: (string | number)[] = [];
  const part = new RegExp(`${PART.source}|\\.([0-9]+)`, 'y');
  while (part.lastIndex < text.length) {
    const first = part.lastIndex === 0;
    const match = part.exec(text);
    if (match === null) return null;
    const [whole, key, index, quoted, digits] = match;
    if (key !== undefined && first === whole.startsWith('.')) return null;
    const inQuotes = quoted === undefined ? undefined : unquoted(quoted);
    if (inQuotes === null) return null;
    path.push(key ?? digits ?? inQuotes ?? Number(index));
  }
  return path.length === 0 ? null : path;
}

/** The text of a JSON string; null where it is none, as with an escape that JSON does not have. */
function unquoted(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

/** Whether a value is an object with keys, as JSON has them. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether something stands at a path. */
export function hasValue(document: unknown, path: Path): boolean {
  const [part, ...rest] = path;
  if (part === undefined) return true;
  if (Array.isArray(document))
    return typeof part === 'number' && part < document.length && hasValue(document[part], rest);
  return isRecord(document) && Object.hasOwn(document, String(part)) && hasValue(document[String(part)], rest);
}

/** What stands at a path, or undefined. */
export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, part) => {
    if (Array.isArray(node)) return typeof part === 'number' ? (node as unknown[])[part] : undefined;
    return isRecord(node) && Object.hasOwn(node, String(part)) ? node[String(part)] : undefined;
  }, document);
}

/** A copy of a document without what stands at the given paths; elements of arrays close up. */
export function withoutPaths(document: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined;
  const below = (part: string | number) =>
    paths.filter((path) => String(path[0]) === String(part)).map((path) => path.slice(1));
  const isDropped = (part: string | number) => below(part).some((path) => path.length === 0);
  if (Array.isArray(document)) {
    return document
      .map((item: unknown, index) => [index, item] as const)
      .filter(([index]) => !isDropped(index))
      .map(([index, item]) => withoutPaths(item, below(index)));
  }
  if (!isRecord(document)) return document;
  return Object.fromEntries(
    Object.entries(document)
      .filter(([key]) => !isDropped(key))
      .map(([key, value]) => [key, withoutPaths(value, below(key))]),
  );
}

/** Whether a path is another or lies below it. */
export function isWithin(path: Path, outer: Path): boolean {
  return outer.length <= path.length && outer.every((part, index) => String(part) === String(path[index]));
}

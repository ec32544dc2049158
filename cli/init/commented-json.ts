import { isRecord } from '../../specification/path.ts';

/** Sentences by the path of a key, e.g. `panels.test`: they are written above it. */
export type Comments = Readonly<Record<string, string>>;

const WIDTH = 118;
const INDENT = '  ';

/** A document as JSON with comments, short values in one line. `parseDocument` reads it back. */
export function commentedJson(document: Readonly<Record<string, unknown>>, comments: Comments): string {
  return `${laidOut(document, { path: '', indent: '', comments })}\n`;
}

interface Place {
  readonly path: string;
  readonly indent: string;
  readonly comments: Comments;
}

function laidOut(value: unknown, place: Place): string {
  const line = inOneLine(value);
  if (!isRecord(value)) return line;
  const { path, indent, comments } = place;
  const isShort = indent.length + path.length + line.length <= WIDTH && path !== '';
  if (isShort && !Object.keys(comments).some((commented) => commented.startsWith(`${path}.`))) return line;
  const inner = indent + INDENT;
  const entries = Object.entries(value).map(([key, entry]) => {
    const entryPath = path === '' ? key : `${path}.${key}`;
    const text = `${inner}${JSON.stringify(key)}: ${laidOut(entry, { path: entryPath, indent: inner, comments })}`;
    return { above: commentLines(comments[entryPath], inner), text };
  });
  const body = entries.map(({ above, text }, index) => `${above}${text}${index < entries.length - 1 ? ',' : ''}`);
  return `{\n${body.join('\n')}\n${indent}}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${inOneLine(entry)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A comment as lines of at most `WIDTH` characters. */
function commentLines(comment: string | undefined, indent: string): string {
  if (comment === undefined) return '';
  const lines: string[] = [];
  for (const word of comment.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && `${indent}// ${longer}`.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => `${indent}// ${line}\n`).join('');
}

import { readFileSync } from 'node:fs';

/** A block of code of a document, with what stands after the language in its first line. */
export interface CodeBlock {
  readonly language: string;
  readonly note: string;
  readonly text: string;
  /** Of its first line, from 1. */
  readonly line: number;
}

/** All blocks of code of a Markdown file. */
export function codeBlocks(file: string): CodeBlock[] {
  const document = readFileSync(file, 'utf8');
  return [...document.matchAll(/^```(\w+)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    note: match[2]!,
    text: match[3]!,
    line: document.slice(0, match.index).split('\n').length,
  }));
}

/** What a guide does to a file of the sources. */
export interface CodeChange {
  /** A new file; lines after another line; or text in the place of another. */
  readonly kind: 'file' | 'line' | 'replace';
  readonly file: string;
  /** The text that is there already; empty for a new file. */
  readonly anchor: string;
  readonly text: string;
}

/**
 * The changes that a guide makes: blocks after a comment such as `<!-- file: PATH -->`, `<!-- line: PATH after "TEXT" -->` or
 * `<!-- replace: PATH "TEXT" -->`.
 */
export function codeChanges(file: string): CodeChange[] {
  const document = readFileSync(file, 'utf8');
  const pattern = /^<!-- (file|line|replace): (\S+)(?: (?:after )?"(.*)")? -->\n```ts\n([\s\S]*?)^```$/gm;
  return [...document.matchAll(pattern)].map(([, kind, target, anchor = '', text]) => ({
    kind: kind as CodeChange['kind'],
    file: target!,
    anchor,
    text: text!,
  }));
}

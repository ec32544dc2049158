import type { Table } from '../../learning/results/table.ts';
import { markdownTable } from './markdown-table.ts';
import { visibleCell } from '../terminal/visible-text.ts';
import { fixedText, type Notation } from './notation.ts';
import { readableTable } from './readable-table.ts';

const MARKDOWN: Notation = {
  number: (value, decimals, kind) => fixedText(value, kind === 'count' ? 0 : decimals),
  hasTextForNumbers: false,
  nan: 'NaN',
  infinity: (isNegative) => (isNegative ? '-∞' : '∞'),
  missing: '–',
  text: (text) => escaped(visibleCell(text)),
  spread: (mean, std) => `${mean} ± ${std}`,
  interval: (low, high) => `[${low}, ${high}]`,
  share: (part, whole) => `${part}/${whole}`,
  estimate: (mean, interval) => `${mean} ${interval}`,
};

/** What Markdown would take as emphasis, code, a link or an entity; a `_` within a word is none of these. */
function escaped(text: string): string {
  return text.replace(/[\\`*[\]~]|&(?=#?\w+;)/g, '\\$&').replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\_');
}

/** A table of GitHub's Markdown, numbers to the right, and below it what a reader must know. */
export function markdownFormat(table: Table, notes: readonly string[]): string {
  const { heads, rows } = readableTable(table, MARKDOWN);
  const text = markdownTable(
    heads.map(({ title }) => title),
    rows,
    heads.map(({ align }) => align),
  );
  return notes.length === 0 ? text : `${text}\n\n${notes.map((each) => escaped(each)).join('\n')}`;
}

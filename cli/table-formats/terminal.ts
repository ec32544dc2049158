import CliTable from 'cli-table3';
import type { Table } from '../../learning/results/table.ts';
import { countText, measureText } from '../../web/documents/quantity-text.ts';
import { colorsFor } from '../terminal/terminal.ts';
import { visibleCell } from '../terminal/visible-text.ts';
import type { Notation } from './notation.ts';
import { readableTable } from './readable-table.ts';

const NO_LINES = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'],
  ].map((part) => [part, '']),
);

/** Measures have two decimals in every table of a terminal, so that columns of one page can be compared. */
const TERMINAL: Notation = {
  number: (value, _decimals, kind) =>
    kind === 'measure' ? measureText(value) : kind === 'count' ? countText(value) : String(value),
  hasTextForNumbers: true,
  nan: 'NaN',
  infinity: (isNegative) => (isNegative ? '-Infinity' : 'Infinity'),
  missing: '–',
  text: (text) => text,
  spread: (mean, std) => `${mean} ± ${std}`,
  interval: (low, high) => `[${low}, ${high}]`,
  share: (part, whole) => `${part}/${whole}`,
  estimate: (mean, interval) => `${mean} ${interval}`,
};

/** A table as wide as it needs to be, without lines, and below it what a reader must know. */
export function terminalFormat(table: Table, notes: readonly string[]): string {
  const { heads, rows } = readableTable(table, TERMINAL);
  const { dim, isColorSupported: hasColors } = colorsFor(process.stdout);
  const drawn = new CliTable({
    head: heads.map(({ title }) => dim(title)),
    colAligns: heads.map(({ align }) => align),
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const row of rows) drawn.push(row.map((text) => visibleCell(text, { hasColors })));
  const lines = drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
  return notes.length === 0 ? lines : `${lines}\n\n${notes.join('\n')}`;
}

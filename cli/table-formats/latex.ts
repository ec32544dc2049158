import type { Table } from '../../learning/results/table.ts';
import { visibleCell } from '../terminal/visible-text.ts';
import { fixedText, type Notation } from './notation.ts';
import { readableTable } from './readable-table.ts';

/** What is an order to LaTeX, and how each is written so that it is shown. */
const SHOWN: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  '±': '$\\pm$',
  '×': '$\\times$',
  '∞': '$\\infty$',
  '–': '--',
  '…': '\\dots{}',
};

const ORDERS = /[\\~^<>|"±×∞–…&%$#_{}]/g;

/** Text that LaTeX shows as it is. Letters beyond ASCII stay: LaTeX reads UTF-8. */
export function latexText(text: string): string {
  return visibleCell(text).replace(ORDERS, (order) => SHOWN[order] ?? `\\${order}`);
}

/** What has a sign stands in mathematics, where a minus is one. */
const LATEX: Notation = {
  number: (value, decimals, kind) => {
    const text = fixedText(value, kind === 'count' ? 0 : decimals);
    return text.startsWith('-') ? inMath(text) : text;
  },
  hasTextForNumbers: false,
  nan: 'NaN',
  infinity: (isNegative) => inMath(isNegative ? '-\\infty' : '\\infty'),
  missing: '--',
  text: latexText,
  spread: (mean, std) => inMath(`${bare(mean)} \\pm ${bare(std)}`),
  interval: (low, high) => inMath(`[${bare(low)}, ${bare(high)}]`),
  share: (part, whole) => `${bare(part)}/${bare(whole)}`,
  estimate: (mean, interval) => inMath(`${bare(mean)}\\ ${bare(interval)}`),
};

function inMath(text: string): string {
  return `$${text}$`;
}

function bare(text: string): string {
  return text.replace(/^\$(.*)\$$/s, '$1');
}

/** A `tabular` with the rules of the package booktabs, and before it as comments what a reader must know. */
export function latexFormat(table: Table, notes: readonly string[]): string {
  const { heads, rows } = readableTable(table, LATEX);
  const line = (cells: readonly string[]) => `${cells.map(brackets).join(' & ')} \\\\`;
  return [
    '% \\usepackage{booktabs}',
    ...notes.flatMap((note) => visibleCell(note.replaceAll('\n', ' '))).map((note) => `% ${note}`),
    `\\begin{tabular}{${heads.map(({ align }) => (align === 'right' ? 'r' : 'l')).join('')}}`,
    '\\toprule',
    line(heads.map(({ title }) => title)),
    '\\midrule',
    ...rows.map(line),
    '\\bottomrule',
    '\\end{tabular}',
  ].join('\n');
}

/** A cell that begins with a bracket would be the argument of the line break, or of the rule, before it. */
function brackets(cell: string): string {
  return /^[[*]/.test(cell) ? `{}${cell}` : cell;
}

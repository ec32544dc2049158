/**
 * Rows as a table of Markdown. A cell cannot end itself or its line, and holds no HTML.
 * @param aligns by column; as the reader's program likes when left out
 */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  aligns: readonly ('left' | 'right')[] = [],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`;
  const rules = columns.map((_, place) => (aligns[place] === 'right' ? '--:|' : '--|'));
  return [line(columns), `|${rules.join('')}`, ...rows.map(line)].join('\n');
}

function cellText(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('<', '&lt;');
}

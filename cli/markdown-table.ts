/** Rows as a table of Markdown. A cell cannot end itself or its line, and holds no HTML. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`;
  return [line(columns), `|${'--|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}

function cellText(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('<', '&lt;');
}

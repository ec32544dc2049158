const LINES_MAX = 20;

/** Lines set in by two spaces, the first twenty of them and how many more there are. */
export function limitedLines(lines: readonly string[]): string {
  const shown = lines.slice(0, LINES_MAX).map((line) => `  ${line}`);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n');
}

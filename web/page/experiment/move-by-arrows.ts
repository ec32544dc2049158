const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves the focus between the links of a table's cells. The table as a whole is one stop of the Tab key. */
export function moveByArrows(event: KeyboardEvent & { readonly currentTarget: HTMLTableElement }): void {
  const step = STEPS[event.key];
  const cell = (event.target as Element).closest<HTMLTableCellElement>('td');
  if (step === undefined || cell === null) return;
  const rows = event.currentTarget.tBodies[0]!.rows;
  const row = (cell.parentElement as HTMLTableRowElement).sectionRowIndex + step[0];
  const link = rows[row]?.cells[cell.cellIndex + step[1]]?.querySelector('a');
  if (link === null || link === undefined) return;
  event.preventDefault();
  for (const other of event.currentTarget.querySelectorAll<HTMLAnchorElement>('td a[tabindex="0"]'))
    other.tabIndex = -1;
  link.tabIndex = 0;
  link.focus();
}

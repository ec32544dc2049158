// A layout is a drawing: rows of characters.

/** What a character stands for. The cooks of seats 0 and 1 start where 1 and 2 stand, as in the package. */
export const LEGEND = {
  ' ': 'floor',
  X: 'counter',
  O: 'onions',
  T: 'tomatoes',
  D: 'dishes',
  P: 'pot',
  S: 'serving',
  1: 'floor, where seat 0 starts',
  2: 'floor, where seat 1 starts',
} as const;

const FLOOR = ' 12';
export const SIDE_MIN = 3;
export const SIDE_MAX = 15;

export interface Complaint {
  /** Row, counted from the top, where one row is to blame. */
  readonly row: number | null;
  readonly message: string;
}

/** The rows of a drawing that is written as one text. */
export function rowsOf(drawing: string): string[] {
  return drawing.trim().split('\n');
}

/** What is wrong with a drawing; empty when nothing is. */
export function complaintsAbout(rows: readonly string[]): Complaint[] {
  const width = rows[0]?.length ?? 0;
  if (rows.length < SIDE_MIN || rows.length > SIDE_MAX || width < SIDE_MIN || width > SIDE_MAX) {
    const size = `${rows.length} rows of ${width} characters`;
    return [{ row: null, message: `Expected ${SIDE_MIN} to ${SIDE_MAX} rows, and columns, found ${size}` }];
  }
  const aboutRows = rows.flatMap((row, index) => complaintsAboutRow(row, index, { width, rowCount: rows.length }));
  return [...aboutRows, ...complaintsAboutWhole(rows.join(''))];
}

function complaintsAboutRow(
  row: string,
  index: number,
  { width, rowCount }: { readonly width: number; readonly rowCount: number },
): Complaint[] {
  const say = (message: string): Complaint[] => [{ row: index, message }];
  if (row.length !== width) return say(`Expected ${width} characters as in the first row, found ${row.length}`);
  const unknown = [...row].find((character) => !(character in LEGEND));
  if (unknown !== undefined) {
    const known = Object.entries(LEGEND).map(([character, meaning]) => `"${character}" ${meaning}`);
    return say(`"${unknown}" stands for nothing; known are ${known.join(', ')}`);
  }
  const isEdge = index === 0 || index === rowCount - 1;
  const border = isEdge ? row : row.charAt(0) + row.charAt(width - 1);
  const isOpen = [...border].some((character) => FLOOR.includes(character));
  return isOpen ? say('The border has a gap: cooks would walk out; close it with "X"') : [];
}

function complaintsAboutWhole(all: string): Complaint[] {
  const countOf = (character: string) => all.split(character).length - 1;
  const say = (message: string): Complaint => ({ row: null, message });
  const cooks = ['1', '2'].flatMap((cook) =>
    countOf(cook) === 1 ? [] : [say(`Expected "${cook}" once, found it ${countOf(cook)} times`)],
  );
  const stations = (['P', 'D', 'S'] as const).flatMap((station) =>
    countOf(station) > 0 ? [] : [say(`There is no "${station}" (${LEGEND[station]})`)],
  );
  const hasIngredients = countOf('O') + countOf('T') > 0;
  return [...cooks, ...stations, ...(hasIngredients ? [] : [say('There is neither "O" (onions) nor "T" (tomatoes)')])];
}

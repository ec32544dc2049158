import type { ResultRow } from '../../learning/results/result-row.ts';
import type { Cell } from '../../learning/results/column.ts';
import type { CurveRow } from '../../infra/postgres/curve-rows.ts';
import type { RunSensitivity } from '../../infra/postgres/sensitivity-rows.ts';
import type { SimulatorReturn } from '../../infra/postgres/simulator-return-rows.ts';
import type { CheckpointScores } from '../../learning/measures/checkpoint-scores.ts';
import { METRICS, SCORES } from '../../learning/results/result-columns.ts';

/** A run as `thaw results -o json` wrote it. */
export interface StudyRow {
  /** What was measured of its checkpoints, and its plain columns; what is spread over several columns is not in it. */
  readonly row: ResultRow;
  /** Every column as it was written. */
  readonly cells: Readonly<Record<string, Cell>>;
}

/** An evaluated round as `thaw results --curve -o json` wrote it. */
export type StudyCurve = CurveRow;

/** One change of one run as `thaw results --sensitivity -o json` wrote it. */
export type StudySensitivity = RunSensitivity;

/** What one run got on one simulator as `thaw results --per simulator -o csv` wrote it. */
export type StudySimulatorReturn = Omit<SimulatorReturn, 'simulatorHash'>;

/** The rows of a results document, in its order. */
export function readResults(text: string): StudyRow[] {
  const { rows } = JSON.parse(text) as { rows: readonly Readonly<Record<string, Cell>>[] };
  return rows.map((written) => {
    const cells = withNumbers(written, (key) => METRICS.includes(key));
    return { row: rowFrom(cells), cells };
  });
}

/** The evaluated rounds, in the order of the document. */
export function readCurve(text: string): StudyCurve[] {
  return readListing(text, ['variant']) as unknown as StudyCurve[];
}

/** What the last policies depend on, in the order of the document. */
export function readSensitivities(text: string): StudySensitivity[] {
  return readListing(text, ['variant', 'kind', 'name']) as unknown as StudySensitivity[];
}

/** What runs got on single simulators, in the order of the document. No name that it holds needs quotes. */
export function readSimulatorReturns(text: string): StudySimulatorReturn[] {
  const [titles, ...lines] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const rows = lines.map((line) => Object.fromEntries(titles!.map((title, index) => [title, line[index]!])));
  return rowsFrom(rows, ['variant', 'panel', 'simulator', 'checkpoint']) as unknown as StudySimulatorReturn[];
}

/** The rows of a listing, with the keys of our code. @param texts columns of text; all others are numbers, true or false */
function readListing(text: string, texts: readonly string[]): Record<string, Cell>[] {
  return rowsFrom(JSON.parse(text) as readonly Readonly<Record<string, Cell>>[], texts);
}

function rowsFrom(rows: readonly Readonly<Record<string, Cell>>[], texts: readonly string[]): Record<string, Cell>[] {
  return rows.map((cells) => camelKeys(withNumbers(cells, (key) => !texts.includes(key))));
}

/** JSON has no NaN and no infinities: they are written as text. */
function withNumbers(
  cells: Readonly<Record<string, Cell>>,
  isNumber: (key: string) => boolean,
): Readonly<Record<string, Cell>> {
  return Object.fromEntries(
    Object.entries(cells).map(([key, value]) => [
      key,
      typeof value === 'string' && isNumber(key) ? Number(value) : value,
    ]),
  );
}

function rowFrom(cells: Readonly<Record<string, Cell>>): ResultRow {
  const row: Partial<ResultRow> = {
    ...camelKeys(cells),
    last: scoresFrom(cells, ''),
    best: scoresFrom(cells, 'best_'),
  };
  return row as ResultRow;
}

/** Null where nothing of the checkpoint was measured. */
function scoresFrom(cells: Readonly<Record<string, Cell>>, prefix: string): CheckpointScores | null {
  const scores = SCORES.map(([key, score]) => [score, cells[`${prefix}${key}`] ?? null] as const);
  if (scores.every(([, value]) => value === null)) return null;
  return Object.fromEntries(scores) as unknown as CheckpointScores;
}

function camelKeys(cells: Readonly<Record<string, Cell>>): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(cells).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

import { RESULT_COLUMNS } from '../../learning/results/result-columns.ts';
import type { ResultRow } from '../../learning/results/result-row.ts';
import { experimentHead, resultsDocument, type ResultSet } from '../../learning/results/results-document.ts';
import { roundChoiceText, type RoundChoice } from '../../learning/results/round-choice.ts';
import { SHAPES, type ShapeName } from '../../learning/results/shapes/index.ts';
import type { Dimension } from '../../learning/results/shapes/shape.ts';
import type { Table } from '../../learning/results/table.ts';
import { arrangeTable, rowsWhere, type Arrangement } from './arrange-rows.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { resultsHead, resultsText } from './results-table.ts';
import { isForPeople, TABLE_FORMATS, type TableFormatName } from '../table-formats/index.ts';
import { recordsOf } from '../table-formats/json.ts';

/** What of the results of an experiment is wanted, and how. */
export interface ResultsRequest extends Arrangement {
  /** `overview` is what people see who ask for nothing; programs get the runs, papers the seed × variant table. */
  readonly shape: ShapeName | 'overview';
  readonly metrics: readonly string[];
  readonly by: readonly Dimension[];
  readonly round: RoundChoice;
  readonly spread: 'std' | 'interval';
  readonly format: TableFormatName;
}

/** Results in a shape and a format: rows → conditions → shape → order and columns → text. */
export function shapedResults(set: ResultSet, request: ResultsRequest): string {
  const { format, metrics, by, where } = request;
  const rows = rowsWhere(RESULT_COLUMNS, set.rows, where);
  const counts = { shown: rows.length, all: set.rows.length };
  if (rows.length === 0 && where.length > 0 && format === 'table') {
    return `${resultsHead(set)}\n\nNo run has ${where.join(' and ')}.`;
  }
  if (request.shape === 'overview' && format === 'table') {
    const text = resultsText(set, metrics[0]!, by, { shown: rows, round: request.round });
    return [text, ...filterText(request, counts)].join('\n');
  }
  const name = shapeName(request);
  const { pinned, build } = SHAPES[name];
  const shaped = build({ ...request, rows, isForPeople: isForPeople(format) });
  const table = arrangeTable({ ...shaped, pinned }, request);
  switch (format) {
    case 'json':
      return jsonText(documentFrom({ set, rows, table, name }, request), 2);
    case 'csv':
      return TABLE_FORMATS.csv(table);
    default:
      return pageText(set, table, { notes: [...shaped.notes, ...aboutText(request, counts)], format });
  }
}

function shapeName({ shape, format, by }: ResultsRequest): ShapeName {
  if (shape !== 'overview') return shape;
  if (!isForPeople(format)) return 'runs';
  return by.length === 1 ? 'fold' : 'wide';
}

interface Document {
  readonly set: ResultSet;
  readonly rows: readonly ResultRow[];
  readonly table: Table;
  readonly name: ShapeName;
}

function documentFrom(
  { set, rows, table, name }: Document,
  { metrics, round }: ResultsRequest,
): Record<string, unknown> {
  const records = recordsOf(table);
  if (name === 'runs') return resultsDocument(set, metrics[0]!, { rows, records, round });
  return { experiment: experimentHead(set), shape: name, round, metrics, rows: records };
}

function pageText(
  set: ResultSet,
  table: Table,
  { notes, format }: { notes: readonly string[]; format: 'table' | 'markdown' | 'latex' },
): string {
  const head = resultsHead(set);
  return format === 'table'
    ? `${head}\n\n${TABLE_FORMATS.table(table, notes)}`
    : TABLE_FORMATS[format](table, [head, ...notes]);
}

interface Counts {
  readonly shown: number;
  readonly all: number;
}

/** Which checkpoint, and which runs, the numbers are of. */
function aboutText(request: ResultsRequest, counts: Counts): string[] {
  return [`${roundChoiceText(request.round)}. – is not measured.`, ...filterText(request, counts)];
}

function filterText({ where }: ResultsRequest, { shown, all }: Counts): string[] {
  return where.length === 0 ? [] : [`${shown} of ${all} runs: those with ${where.join(' and ')}.`];
}

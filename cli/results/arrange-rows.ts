import { chooseColumns, columnChoiceFrom } from '../../learning/results/choose-columns.ts';
import type { Column } from '../../learning/results/column.ts';
import {
  isOperator,
  operandProblem,
  OPERATORS,
  splitCondition,
  type Condition,
} from '../../learning/results/condition.ts';
import { filterRows } from '../../learning/results/filter-rows.ts';
import { sortKeyFrom, sortTable } from '../../learning/results/sort-table.ts';
import { tableFrom, type Table } from '../../learning/results/table.ts';
import { ThawError } from '../../schemas/errors.ts';
import { unknownName } from '../simulators/open-world.ts';
import { TABLE_FORMATS, type TableFormatName } from '../table-formats/index.ts';

/** What of a list is shown, and in which order. Every part may be empty, which leaves the list as it is. */
export interface Arrangement {
  /** Conditions that must all hold of a row: `heldout_return>-40`, `variant=pool*`, `verdict=null`. */
  readonly where: readonly string[];
  /** Columns to sort by, the first first: `heldout_return` ascends, `-heldout_return` descends. */
  readonly sort: readonly string[];
  /** Columns to show, or with a minus to hide. */
  readonly columns: readonly string[];
}

/**
 * The rows of which every condition holds.
 * @throws REQUEST_BAD_ARGUMENT naming the nearest column or operator where one is wrong, or why a value cannot be meant
 */
export function rowsWhere<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  where: readonly string[],
): readonly Row[] {
  const conditions = where.map((text) => conditionFrom(text, columns, rows));
  return filterRows(columns, rows, conditions);
}

function conditionFrom<Row>(text: string, columns: readonly Column<Row>[], rows: readonly Row[]): Condition {
  const written = splitCondition(text);
  if (written === null) {
    throw badWhere(text, `it has no column and operator. Operators: ${OPERATORS.join(' ')}`);
  }
  const { operator } = written;
  const column = columnNamed(written.column, columns);
  if (!isOperator(operator)) throw unknownName('operator', operator, OPERATORS);
  const condition = { ...written, operator };
  const problem = operandProblem(
    rows.map((row) => column.value(row)),
    condition,
  );
  if (problem !== null) throw badWhere(text, problem);
  return condition;
}

function badWhere(text: string, problem: string): ThawError {
  return new ThawError('REQUEST_BAD_ARGUMENT', `--where '${text}' cannot be meant: ${problem}.`, {
    remedy: "Write a column, an operator and a value, e.g. --where 'heldout_return>-40' or --where 'variant=pool*'.",
  });
}

function columnNamed<Head extends { readonly key: string }>(name: string, columns: readonly Head[]): Head {
  const found = columns.find(({ key }) => key === name);
  if (found !== undefined) return found;
  throw unknownName(
    'column',
    name,
    columns.map(({ key }) => key),
  );
}

/** A table that is to be shown. */
export interface Arranged {
  readonly table: Table;
  /** Columns that are shown where none are chosen; all when left out. */
  readonly shown?: readonly string[] | undefined;
  /** Columns that say what a row is: they cannot be hidden. */
  readonly pinned: readonly string[];
}

/**
 * A table in the order and with the columns that were asked for.
 * @throws REQUEST_BAD_ARGUMENT naming the nearest column where there is none of a name, or that a column cannot be hidden
 */
export function arrangeTable({ table, shown, pinned }: Arranged, { sort, columns }: Omit<Arrangement, 'where'>): Table {
  const named = table.columns.filter(({ isPart }) => isPart !== true);
  const keys = sort.map(sortKeyFrom);
  const choice = columnChoiceFrom(columns);
  for (const name of [...keys.map(({ column }) => column), ...choice.shown, ...choice.hidden]) columnNamed(name, named);
  const kept = choice.hidden.filter((name) => pinned.includes(name));
  if (kept.length > 0) {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${kept.join(' and ')} cannot be hidden: it says what a row is.`, {
      remedy: 'Hide other columns.',
    });
  }
  const initial = choice.shown.length === 0 && shown !== undefined ? { ...choice, shown } : choice;
  return chooseColumns(sortTable(table, keys), initial, pinned);
}

/** How a list is wanted. */
export interface ListRequest extends Arrangement {
  readonly format: TableFormatName;
}

interface List extends ListRequest, Omit<Arranged, 'table'> {
  readonly notes?: readonly string[];
}

/** Rows as they were asked for, in a format. */
export function arrangedListing<Row>(columns: readonly Column<Row>[], rows: readonly Row[], list: List): string {
  const table = tableFrom(columns, rowsWhere(columns, rows, list.where));
  return TABLE_FORMATS[list.format](arrangeTable({ ...list, table }, list), list.notes ?? []);
}

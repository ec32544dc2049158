import type { ComponentChildren } from 'preact';

export interface TableColumn<Row> {
  readonly key: string;
  readonly title: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand right, so that their digits line up. */
  readonly isNumber?: boolean;
  /** Stays in view when the table is moved sideways. Only first columns. */
  readonly isPinned?: boolean;
  /** Names its row: a header cell. */
  readonly isRowHeader?: boolean;
  readonly isSortable?: boolean;
  /** Explains the column on hover. */
  readonly about?: string;
}

/** A column's key, with `-` before it for the largest first. */
export interface Sorting {
  readonly by: string;
  readonly onSort: (by: string) => void;
}

interface TableProps<Row> {
  /** Names the table for those who do not see it. */
  readonly caption: string;
  readonly isCaptionShown?: boolean;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string;
  readonly sorting?: Sorting;
  /** What is said where there is no row. */
  readonly empty?: ComponentChildren;
}

/** A table that scrolls within itself, with its header and pinned columns in view. */
export function Table<Row>({
  caption,
  isCaptionShown = false,
  columns,
  rows,
  rowKey,
  sorting,
  empty = 'Nothing here yet.',
}: TableProps<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class={isCaptionShown ? undefined : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row, index)}>
              {columns.map((column) => (
                <BodyCell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = <Row,>({ isNumber = false, isPinned = false }: TableColumn<Row>): string =>
  [isNumber && 'number', isPinned && 'pinned'].filter(Boolean).join(' ');

function HeaderCell<Row>({
  column,
  sorting,
}: {
  readonly column: TableColumn<Row>;
  readonly sorting: Sorting | undefined;
}) {
  const { key, title, about, isSortable = false } = column;
  if (sorting === undefined || !isSortable) {
    return (
      <th scope="col" class={classOf(column)} title={about}>
        {title}
      </th>
    );
  }
  const order = sorting.by === key ? 'ascending' : sorting.by === `-${key}` ? 'descending' : 'none';
  return (
    <th scope="col" class={classOf(column)} title={about} aria-sort={order}>
      <button type="button" class="sort" onClick={() => sorting.onSort(order === 'ascending' ? `-${key}` : key)}>
        {title}
        <span aria-hidden="true" class="sort-mark">
          {order === 'ascending' ? '▲' : order === 'descending' ? '▼' : '↕'}
        </span>
      </button>
    </th>
  );
}

function BodyCell<Row>({ column, row }: { readonly column: TableColumn<Row>; readonly row: Row }) {
  return column.isRowHeader === true ? (
    <th scope="row" class={classOf(column)}>
      {column.cell(row)}
    </th>
  ) : (
    <td class={classOf(column)}>{column.cell(row)}</td>
  );
}

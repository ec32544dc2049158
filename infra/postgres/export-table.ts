/** What a column of an exported table holds. A timestamp is microseconds since 1970 in UTC; json is whatever JSON can hold. */
export type ColumnKind = 'text' | 'int32' | 'int64' | 'double' | 'boolean' | 'timestamp' | 'json';

/** A column as files show it. */
export interface ExportColumn {
  readonly key: string;
  readonly kind: ColumnKind;
  /** What it is, in a few words (Markdown). */
  readonly about: string;
}

/** A table that is exported as one file. */
export interface ExportTable {
  readonly name: string;
  /** What a row is (Markdown). */
  readonly about: string;
  readonly columns: readonly (ExportColumn & { readonly sql: string })[];
  /** SQL of where the rows of the experiment `$1` are, as it stands after `from`. */
  readonly from: string;
  /** SQL of their order; null where `from` has them in order. */
  readonly order: string | null;
  /** Rows that are fetched at once, where rows are long. */
  readonly pageRows?: number;
}

type TableColumn = ExportTable['columns'][number];

/** Makes columns of one kind: what follows the key is what it is, and its SQL where that is not the key itself. */
const columnsOf =
  (kind: ColumnKind) =>
  (key: string, about: string, sql = `"${key}"`): TableColumn => ({ key, kind, about, sql });

export const text = columnsOf('text');
export const int32 = columnsOf('int32');
export const int64 = columnsOf('int64');
export const double = columnsOf('double');
export const boolean = columnsOf('boolean');
export const json = columnsOf('json');

export function timestamp(key: string, about: string, sql = key): TableColumn {
  return columnsOf('timestamp')(key, about, `(extract(epoch from ${sql}) * 1000000)::bigint`);
}

/**
 * The runs of the experiment `$1` as `r`. A SKIPPED run has no rows of its own: it shows those of the equal run that was
 * finished before, which is `source_id`.
 */
export const RUNS = `(select u.*, coalesce(u.same_as, u.id) as source_id, v.position as variant_position
    from runs u join variants v on v.experiment_id = u.experiment_id and v.name = u.variant
   where u.experiment_id = $1) r`;

/** Runs in the order of the spec. */
export const BY_RUN = 'r.variant_position, r.seed';

/**
 * Where the rows of runs are, run by run, and of a run in an order that its index has. Every run's rows are looked up for
 * themselves: to sort a million episodes by names and numbers takes the database longer than to read them.
 *
 * @param rows table and alias
 * @param runId whose rows a run shows
 */
export function ofRuns(rows: string, order: string, runId = 'r.source_id'): Pick<ExportTable, 'from' | 'order'> {
  const [table, alias] = rows.split(' ');
  const inOrder = `(select * from ${RUNS} order by ${BY_RUN}) r`;
  const found = `(select * from ${table} ${alias} where ${alias}.run_id = ${runId} order by ${order}) ${alias}`;
  return { from: `${inOrder} cross join lateral ${found}`, order: null };
}

/** Which run a row is of. */
export const RUN_KEY: readonly TableColumn[] = [
  text('experiment', 'id of the experiment', 'r.experiment_id'),
  text('variant', 'variant of the run', 'r.variant'),
  int64('seed', 'seed of the run', 'r.seed'),
];

/** Which simulator a row is about. */
export function simulatorKey(alias: string): readonly TableColumn[] {
  return [
    text('simulator', 'name of the simulator', `${alias}.name`),
    text('simulator_hash', 'its content hash, see `simulators`', `${alias}.simulator_hash`),
  ];
}

export const ROUND_ABOUT = 'completed rounds';

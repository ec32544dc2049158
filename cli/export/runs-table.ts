import type { Database, Row } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import type { ColumnKind, ExportColumn } from '../../infra/postgres/export-table.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { recordFrom } from '../../learning/results/column.ts';
import { METRICS, RESULT_COLUMNS } from '../../learning/results/result-columns.ts';
import type { ExportedTable } from './table.ts';

/** What columns of the result table say that are no measures. */
const ABOUT: Readonly<Record<string, string>> = {
  variant: 'variant of the run',
  seed: 'seed of the run',
  state: 'state of the run; only SUCCEEDED and SKIPPED ones are whole',
  attempts: 'tries at steps of rounds so far',
  env_steps: 'env steps of training',
  best_round: 'rounds completed at the checkpoint that was best on validation',
  peak_rss_mib: 'peak resident memory, MiB',
  wall_s: 'seconds of training',
  reason: 'why it is in its state',
  total_env_steps: 'env steps that it took to learn, without evaluations',
  adapt_env_steps_share: 'share of these that were played to decide on the pool',
  adapt_wall_share: 'share of the time that went into deciding on the pool',
  program_version: 'version of Thaw that finished it',
};

/** Metrics that count something. */
const COUNTS = ['attempts', 'env_steps', 'best_round'];

/** The result table: a row for every run, whatever its state. */
export const RUNS_TABLE: ExportedTable = {
  name: 'runs',
  about: 'The result table: a row for every run, whatever its state, with what `thaw results` shows of it.',
  columns: [
    { key: 'experiment', kind: 'text', about: 'id of the experiment' },
    { key: 'run', kind: 'text', about: 'id of the run, EXPERIMENT/VARIANT/SEED' },
    ...RESULT_COLUMNS.map(({ key }): ExportColumn => ({ key, kind: kindOf(key), about: aboutOf(key) })),
  ],
  pages: pageResults,
};

async function* pageResults(snapshot: Database, { id }: ExperimentRecord): AsyncIterable<readonly Row[]> {
  const rows = await listResultRows(snapshot, id);
  if (rows.length === 0) return;
  yield rows.map((row) => ({ experiment: id, run: row.runId, ...recordFrom(RESULT_COLUMNS, row) }));
}

function kindOf(key: string): ColumnKind {
  if (key === 'seed' || COUNTS.includes(key) || key.endsWith('_env_steps')) return 'int64';
  if (METRICS.includes(key)) return 'double';
  return key === 'rise_then_fall' ? 'boolean' : 'text';
}

function aboutOf(key: string): string {
  const about = ABOUT[key];
  if (about !== undefined) return about;
  if (key.endsWith('_env_steps')) return `env steps of ${key.slice(0, -'_env_steps'.length)}`;
  return key.startsWith('best_')
    ? `\`${key.slice('best_'.length)}\` of the checkpoint that was best on validation`
    : 'see [measures](measures.md)';
}

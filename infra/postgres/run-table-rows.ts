import type { Database, Row } from './database.ts';
import type { ExportTable } from './export-table.ts';

/** Rows of one run. */
export interface RunPart {
  readonly experimentId: string;
  readonly runId: string;
  readonly afterRound: number;
  readonly throughRound: number;
}

/** The rows of an exported table that belong to some rounds of one run, as exports have them, round by round. */
export async function listRunTableRows(
  database: Database,
  { columns, from }: ExportTable,
  { experimentId, runId, afterRound, throughRound }: RunPart,
): Promise<Row[]> {
  const selected = columns.map(({ key, sql }) => `${sql} as "${key}"`).join(', ');
  const { rows } = await database.query(
    `select * from (select ${selected}, r.id as run_id from ${from}) t
      where run_id = $2 and round > $3 and round <= $4 order by round`,
    [experimentId, runId, afterRound, throughRound],
  );
  return rows;
}

/** Seconds that the rounds of a run took, up to some round. */
export async function elapsedS(database: Database, runId: string, throughRound: number): Promise<number> {
  const { rows } = await database.query(
    'select coalesce(sum(wall_s order by round), 0) as seconds from rounds where run_id = $1 and round <= $2',
    [runId, throughRound],
  );
  return rows[0]!['seconds'] as number;
}

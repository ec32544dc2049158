import type { Row } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { pageExportRows } from '../../infra/postgres/export-rows.ts';
import { EXPORT_TABLES } from '../../infra/postgres/export-tables.ts';
import { listRunTimes } from '../../infra/postgres/run-times.ts';
import { RUN_TABLES, type RunRows, type Scalar, scalarsOf } from '../../learning/results/run-scalars.ts';
import type { ExportSource } from './export-format.ts';
import { RowsByRun } from './rows-by-run.ts';

/** A run and its numbers round by round. */
export interface RunWithScalars {
  readonly variant: string;
  readonly seed: number;
  readonly startedAt: Date;
  readonly scalars: readonly Scalar[];
}

/** The runs of an experiment that have any rows, in the order of the spec; never more than one of them is held. */
export async function* runsWithScalars(
  { snapshot }: Pick<ExportSource, 'snapshot'>,
  experiment: ExperimentRecord,
): AsyncIterable<RunWithScalars> {
  const streams = RUN_TABLES.map((name) => {
    const table = EXPORT_TABLES.find((each) => each.name === name)!;
    return [name, new RowsByRun(pageExportRows(snapshot, table, experiment.id))] as const;
  });
  for (const { variant, seed, startedAt } of await listRunTimes(snapshot, experiment.id)) {
    const rows: Record<string, readonly Row[]> = {};
    for (const [name, stream] of streams) rows[name] = await stream.take(variant, seed);
    if (Object.values(rows).every(({ length }) => length === 0)) continue;
    yield { variant, seed, startedAt, scalars: scalarsOf(rows as RunRows, startedAt.getTime() / 1000) };
  }
  for (const [name, stream] of streams) await stream.expectEnd(name);
}

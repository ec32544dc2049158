import path from 'node:path';
import { openWhole } from '../../infra/artifacts/write-whole.ts';
import type { Row } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { pageExportRows } from '../../infra/postgres/export-rows.ts';
import { EXPORT_TABLES } from '../../infra/postgres/export-tables.ts';
import { listRunTimes, type RunTime } from '../../infra/postgres/run-times.ts';
import { type RunRows, RUN_TABLES, scalarsOf } from '../../learning/results/run-scalars.ts';
import { settingsOf } from '../../learning/results/run-settings.ts';
import { markdownTable } from '../markdown-table.ts';
import { folderNameFrom } from '../file-name.ts';
import type { ExportFormat, ExportSource, WrittenFile } from './export-format.ts';
import { RowsByRun } from './rows-by-run.ts';
import { scalarRecord, textRecord, versionRecord } from './tensorboard-events.ts';

/**
 * Event files of TensorBoard, a folder each run: `tensorboard/EXPERIMENT/VARIANT/SEED`. The step of a scalar is env steps of
 * training, its wall time that of the run's start and the seconds of its rounds.
 */
export const writeTensorboard: ExportFormat = async (source) => {
  const written: WrittenFile[] = [];
  for (const experiment of source.experiments) written.push(...(await writeExperiment(source, experiment)));
  return written;
};

async function writeExperiment(source: ExportSource, experiment: ExperimentRecord): Promise<WrittenFile[]> {
  const streams = RUN_TABLES.map((name) => {
    const table = EXPORT_TABLES.find((each) => each.name === name)!;
    return [name, new RowsByRun(pageExportRows(source.snapshot, table, experiment.id))] as const;
  });
  const written: WrittenFile[] = [];
  for (const run of await listRunTimes(source.snapshot, experiment.id)) {
    source.onProgress(`tensorboard: ${run.variant}/${run.seed}`);
    const rows = {} as Record<(typeof RUN_TABLES)[number], Row[]>;
    for (const [name, stream] of streams) rows[name] = await stream.take(run.variant, run.seed);
    if (Object.values(rows).some(({ length }) => length > 0)) {
      written.push(await writeRun(source.folder, experiment, { run, rows }));
    }
  }
  for (const [name, stream] of streams) await stream.expectEnd(name);
  return written;
}

async function writeRun(
  folder: string,
  experiment: ExperimentRecord,
  { run, rows }: { run: RunTime; rows: RunRows },
): Promise<WrittenFile> {
  const startS = run.startedAt.getTime() / 1000;
  const parts = [folderNameFrom(experiment.id), folderNameFrom(run.variant), String(run.seed)];
  // TensorBoard takes a file for events by the middle of its name, and sorts by what follows.
  const file = path.posix.join('tensorboard', ...parts, `events.out.tfevents.${Math.floor(startS)}.thaw`);
  const whole = await openWhole(path.join(folder, file));
  const scalars = scalarsOf(rows, startS);
  const settings = settingsOf(experiment.resolved.variants[run.variant]!, run.seed);
  const text = textRecord({ tag: 'settings', text: markdownTable(['setting', 'value'], settings), wallTimeS: startS });
  await whole.write(Buffer.concat([versionRecord(startS), text, ...scalars.map(scalarRecord)]));
  await whole.finish();
  return { file, rows: scalars.length, bytes: whole.bytes };
}

import path from 'node:path';
import { openWhole } from '../../infra/artifacts/write-whole.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { settingsOf } from '../../learning/results/run-settings.ts';
import { folderNameFrom } from '../files/file-name.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import type { ExportFormat, WrittenFile } from './export-format.ts';
import { type RunWithScalars, runsWithScalars } from './runs-with-scalars.ts';
import { scalarRecord, textRecord, versionRecord } from './tensorboard-events.ts';

/**
 * Event files of TensorBoard, a folder each run: `tensorboard/EXPERIMENT/VARIANT/SEED`. The step of a scalar is env steps of
 * training, its wall time that of the run's start and the seconds of its rounds.
 */
export const writeTensorboard: ExportFormat = async (source) => {
  const written: WrittenFile[] = [];
  for (const experiment of source.experiments) {
    for await (const run of runsWithScalars(source, experiment)) {
      source.onProgress(`tensorboard: ${run.variant}/${run.seed}`);
      written.push(await writeRun(source.folder, experiment, run));
    }
  }
  return written;
};

async function writeRun(
  folder: string,
  { id, resolved }: ExperimentRecord,
  { variant, seed, startedAt, scalars }: RunWithScalars,
): Promise<WrittenFile> {
  const startS = startedAt.getTime() / 1000;
  const parts = [folderNameFrom(id), folderNameFrom(variant), String(seed)];
  // TensorBoard takes a file for events by the middle of its name, and sorts by what follows.
  const file = path.posix.join('tensorboard', ...parts, `events.out.tfevents.${Math.floor(startS)}.thaw`);
  const whole = await openWhole(path.join(folder, file));
  const settings = settingsOf(resolved.variants[variant]!, seed);
  const text = textRecord({ tag: 'settings', text: markdownTable(['setting', 'value'], settings), wallTimeS: startS });
  await whole.write(Buffer.concat([versionRecord(startS), text, ...scalars.map(scalarRecord)]));
  await whole.finish();
  return { file, rows: scalars.length, bytes: whole.bytes };
}

import { createHash } from 'node:crypto';
import path from 'node:path';
import { openWhole } from '../../infra/artifacts/write-whole.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { resultNumbers } from '../../learning/results/result-numbers.ts';
import type { ResultRow } from '../../learning/results/result-row.ts';
import { byRound, type Scalar } from '../../learning/results/run-scalars.ts';
import { settingsTree } from '../../learning/results/run-settings.ts';
import { isFinalState } from '../../schemas/records.ts';
import { folderNameFrom } from '../files/file-name.ts';
import { programVersion } from '../program-version.ts';
import type { ExportFormat, WrittenFile } from './export-format.ts';
import { type RunWithScalars, runsWithScalars } from './runs-with-scalars.ts';
import { logFrom } from './wandb-log.ts';
import { axisRecords, exitRecord, headRecord, historyRecord, runRecord, summaryRecord } from './wandb-records.ts';

const ID_LENGTH = 16;
const AXIS = 'env_steps';

/**
 * Offline runs of Weights & Biases, a folder each run as its client makes them: `wandb/offline-run-TIME-ID`, for `wandb sync`. A step
 * is a round, curves are drawn over env steps of training; variants are groups.
 */
export const writeWandb: ExportFormat = async (source) => {
  const written: WrittenFile[] = [];
  for (const experiment of source.experiments) {
    const rows = await listResultRows(source.snapshot, experiment.id);
    for await (const run of runsWithScalars(source, experiment)) {
      source.onProgress(`wandb: ${run.variant}/${run.seed}`);
      const row = rows.find(({ variant, seed }) => variant === run.variant && seed === run.seed)!;
      if (!isFinalState(row.state))
        source.onNote(`wandb: ${row.runId} is not over, and is there as far as it has come.`);
      written.push(await writeRun(source.folder, experiment, { run, row }));
    }
  }
  return written;
};

async function writeRun(
  folder: string,
  experiment: ExperimentRecord,
  { run, row }: { run: RunWithScalars; row: ResultRow },
): Promise<WrittenFile> {
  const id = idOf(experiment, row.runId);
  const time = run.startedAt
    .toISOString()
    .slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
    .replaceAll(/[-:]/g, '')
    .replace('T', '_');
  const file = path.posix.join('wandb', folderNameFrom(`offline-run-${time}-${id}`), `run-${id}.wandb`);
  const whole = await openWhole(path.join(folder, file));
  await whole.write(logFrom(recordsOf(experiment, { run, row }, id)));
  await whole.finish();
  return { file, rows: run.scalars.length, bytes: whole.bytes };
}

/** The same whenever it is written: what is uploaded again goes to the run that is there. */
function idOf({ createdAt }: ExperimentRecord, runId: string): string {
  return createHash('sha256').update(`${runId} ${createdAt.toISOString()}`).digest('hex').slice(0, ID_LENGTH);
}

function recordsOf(
  { name, id: experimentId, resolved }: ExperimentRecord,
  { run, row }: { run: RunWithScalars; row: ResultRow },
  id: string,
): Uint8Array[] {
  const { variant, seed, startedAt, scalars } = run;
  const startS = startedAt.getTime() / 1000;
  const last = Object.fromEntries(scalars.map(({ tag, value }) => [tag, value]));
  const runtimeS = (scalars.at(-1)?.wallTimeS ?? startS) - startS;
  const about = {
    id,
    project: name,
    group: variant,
    name: `${variant}/${seed}`,
    notes: row.reason === null ? row.runId : `${row.runId}: ${row.reason}`,
    tags: ['thaw', experimentId],
    config: settingsTree(resolved.variants[variant]!, seed),
    startedAt,
  };
  const summary = { ...last, ...Object.fromEntries(resultNumbers(row)), state: row.state, verdict: row.last?.verdict };
  const isWhole = row.state === 'SUCCEEDED' || row.state === 'SKIPPED';
  return [
    headRecord(`thaw ${programVersion()}`, id),
    runRecord(about),
    ...axisRecords(AXIS, id),
    ...[...byRound(scalars)].map(([round, ofRound]) => historyRecord(round, stepOf(round, ofRound, startS), id)),
    summaryRecord(withoutMissing(summary), id),
    ...(isFinalState(row.state) ? [exitRecord(isWhole ? 0 : 1, runtimeS, id)] : []),
  ];
}

function stepOf(round: number, scalars: readonly Scalar[], startS: number): Record<string, number> {
  const [{ step, wallTimeS }] = scalars as [Scalar];
  return {
    _step: round,
    _timestamp: wallTimeS,
    _runtime: wallTimeS - startS,
    [AXIS]: step,
    ...Object.fromEntries(scalars.map(({ tag, value }) => [tag, value])),
  };
}

function withoutMissing(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

import { openCsv } from './csv.ts';
import type { ExportFormat } from './export-format.ts';
import type { ExportFormatName, TableFormatName } from './format-names.ts';
import { openJson } from './json.ts';
import { writeMarlEval } from './marl-eval.ts';
import { writeOnnx } from './onnx.ts';
import { openParquet } from './parquet.ts';
import type { OpenTableFile } from './table.ts';
import { writeTensorboard } from './tensorboard.ts';
import { writeWandb } from './wandb.ts';

/** Formats that hold every table, each as a file. */
export const TABLE_FORMATS: Readonly<Record<TableFormatName, OpenTableFile>> = {
  csv: openCsv,
  json: openJson,
  parquet: openParquet,
};

/** Formats that other programs want, each with files of its own. */
export const OTHER_FORMATS: Readonly<Record<Exclude<ExportFormatName, TableFormatName>, ExportFormat>> = {
  'marl-eval': writeMarlEval,
  onnx: writeOnnx,
  tensorboard: writeTensorboard,
  wandb: writeWandb,
};

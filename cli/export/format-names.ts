/** What an export can be written as; the first three hold the same tables. */
export const TABLE_FORMAT_NAMES = ['csv', 'json', 'parquet'] as const;
export const EXPORT_FORMAT_NAMES = [...TABLE_FORMAT_NAMES, 'marl-eval', 'onnx', 'tensorboard', 'wandb'] as const;

export type TableFormatName = (typeof TABLE_FORMAT_NAMES)[number];
export type ExportFormatName = (typeof EXPORT_FORMAT_NAMES)[number];

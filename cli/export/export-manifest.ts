import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../../infra/artifacts/write-whole.ts';
import { jsonText } from '../table-formats/json-text.ts';

/** The file that makes a folder an export, and says what is in it. It is written first and last. */
export const MANIFEST_FILE = 'thaw-export.json';

const columnSchema = z.object({ key: z.string(), kind: z.string() });

const manifestSchema = z.object({
  /** Version of this layout. */
  thaw_export: z.literal(1),
  /** False while the files are being written, and where that was cut short. */
  complete: z.boolean(),
  program_version: z.string(),
  created_at: z.string(),
  experiments: z.array(z.object({ id: z.string(), name: z.string(), version: z.number(), hash: z.string() })),
  formats: z.array(z.string()),
  /** The columns of every table, in their order. */
  tables: z.record(z.string(), z.array(columnSchema)),
  files: z.array(z.object({ file: z.string(), rows: z.number().nullable(), bytes: z.number() })),
  /** What whoever reads the files should know. */
  notes: z.array(z.string()),
});

export type ExportManifest = z.infer<typeof manifestSchema>;

export async function writeExportManifest(folder: string, manifest: ExportManifest): Promise<void> {
  await writeWhole(path.join(folder, MANIFEST_FILE), Buffer.from(`${jsonText(manifest, 2)}\n`));
}

/** What a folder says that was exported to it; null when it is no export. */
export async function readExportManifest(folder: string): Promise<ExportManifest | null> {
  const text = await readFile(path.join(folder, MANIFEST_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

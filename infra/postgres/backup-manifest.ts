import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import { writeWhole } from '../artifacts/write-whole.ts';

/** Raised when a backup is laid out otherwise. */
export const BACKUP_FORMAT = 1;
export const MANIFEST = 'manifest.json';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const amount = z.int().min(0);
/** Names go into statements and paths. */
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const manifestSchema = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  program_version: z.string(),
  created_at: z.string(),
  /** The last migration of the database. */
  schema_level: z.string().regex(/^[0-9]{3}_[a-z0-9_]+$/),
  experiments: amount,
  runs: amount,
  /** In an order in which every row comes after those that it refers to. */
  tables: z.array(
    z.strictObject({ table: name, columns: z.array(name).min(1), rows: amount, bytes: amount, sha256: hash }),
  ),
  artifacts: z.array(z.strictObject({ hash, bytes: amount })),
  /** Named by rows, and missing or damaged when the backup was made. */
  lacking: z.array(hash),
});

/** What is in a backup. It is written last: a folder without it is none. */
export type BackupManifest = z.output<typeof manifestSchema>;
export type SavedTable = BackupManifest['tables'][number];

/** Where the rows of a table are. */
export function tableFile(folder: string, table: string): string {
  return path.join(folder, 'tables', `${table}.copy`);
}

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  await writeWhole(path.join(folder, MANIFEST), Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
}

/**
 * Reads what a backup says of itself.
 * @throws REQUEST_FILE_UNREADABLE, REQUEST_NOT_AVAILABLE when it was made by a later version
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const file = path.join(folder, MANIFEST);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ThawError('REQUEST_FILE_UNREADABLE', `${folder} is not a backup: ${file} cannot be read.`, {
      cause: error,
      remedy: 'Name the folder of a backup. One that was cut short has no manifest, and cannot be restored.',
    });
  });
  const document = parsed(text);
  const { format } = z.looseObject({ format: z.number() }).safeParse(document).data ?? {};
  if (format !== undefined && format > BACKUP_FORMAT) {
    throw new ThawError(
      'REQUEST_NOT_AVAILABLE',
      `${folder} has the format ${format}, and this version knows ${BACKUP_FORMAT}.`,
      {
        remedy: 'Restore it with the version of Thaw that its manifest names, or a later one.',
      },
    );
  }
  const manifest = manifestSchema.safeParse(document);
  if (manifest.success) return manifest.data;
  throw new ThawError('REQUEST_FILE_UNREADABLE', `${file} is not what it was: ${z.prettifyError(manifest.error)}`, {
    remedy: 'Restore another backup.',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** SHA-256 and size of a file, read in parts. @throws the error of the file system */
export async function digestFile(file: string): Promise<{ sha256: string; bytes: number }> {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    digest.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: digest.digest('hex'), bytes };
}

import { ThawError } from '../../schemas/errors.ts';
import type { ArtifactStore } from '../artifacts/artifact-store.ts';
import { type BackupManifest, digestFile, tableFile } from './backup-manifest.ts';
import { listMigrations, listTables } from './backup-tables.ts';

const SHOWN_MAX = 5;

/**
 * Checks every file of a backup against its manifest, and that it holds every table and no other.
 * @throws REQUEST_NOT_AVAILABLE when a later version made it, WORLD_DISK naming what is missing or damaged
 */
export async function verifyBackup(folder: string, manifest: BackupManifest, copies: ArtifactStore): Promise<void> {
  const migrations = listMigrations();
  if (!migrations.includes(manifest.schema_level)) {
    throw new ThawError(
      'REQUEST_NOT_AVAILABLE',
      `The backup in ${folder} is of ${manifest.program_version} with the tables of ${manifest.schema_level}, and this version knows those up to ${migrations.at(-1)}.`,
      { remedy: 'Restore it with the version of Thaw that made it, or a later one.' },
    );
  }
  const problems: string[] = [];
  const tables = listTables(migrations.slice(0, migrations.indexOf(manifest.schema_level) + 1));
  if (manifest.tables.map(({ table }) => table).join() !== tables.join()) {
    problems.push(`it does not have the tables of ${manifest.schema_level}, which are ${tables.join(', ')}`);
  }
  for (const { table, bytes, sha256 } of manifest.tables) {
    const file = tableFile(folder, table);
    const found = await digestFile(file).catch((error: Error) => error);
    if (found instanceof Error) problems.push(`${file} cannot be read (${found.message})`);
    else if (found.sha256 !== sha256)
      problems.push(`${file} is damaged: ${found.bytes} bytes instead of ${bytes}, or others`);
  }
  for (const { hash } of manifest.artifacts) {
    const flaw = await copies.flawOf(hash);
    if (flaw !== null) problems.push(`the artifact ${hash} ${flaw}`);
  }
  if (problems.length === 0) return;
  const rest = problems.length > SHOWN_MAX ? `; and ${problems.length - SHOWN_MAX} more` : '';
  throw new ThawError(
    'WORLD_DISK',
    `The backup in ${folder} is not what it was: ${problems.slice(0, SHOWN_MAX).join('; ')}${rest}. Nothing was restored.`,
    { remedy: 'Restore another backup.' },
  );
}

import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import { type BackupManifest, writeManifest } from '../../infra/postgres/backup-manifest.ts';
import { saveBackup } from '../../infra/postgres/backup-save.ts';
import { ThawError } from '../../schemas/errors.ts';
import { backupStore, databaseUrl } from './backup-place.ts';
import { bytesText } from '../terminal/bytes-text.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { programVersion } from '../program-version.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { withDatabase } from '../services/service-session.ts';
import { note, noteOnTerminal, print } from '../terminal/terminal.ts';

/** Copies everything that experiments are made of into a folder. */
export async function makeBackup(name: string): Promise<ExitCode> {
  const folder = path.resolve(name);
  const configuration = readConfiguration(process.env);
  await prepareFolder(folder);
  return withDatabase(async () => {
    const saved = await saveBackup({
      url: await databaseUrl(configuration),
      artifacts: createFolderStore(configuration.artifacts),
      folder,
      copies: backupStore(folder),
      onProgress: noteOnTerminal,
    });
    const manifest = { ...saved, program_version: programVersion(), created_at: new Date().toISOString() };
    await writeManifest(folder, manifest);
    print(`${folder}: ${contentText(manifest)}, ${bytesText(sizeOf(manifest))}.`);
    print(`  thaw restore ${folder}    brings it into a home without experiments`);
    if (manifest.lacking.length > 0) {
      note(
        `${pluralText(manifest.lacking.length, 'artifact')} that rows name were missing or damaged, and are not in it. ` +
          'Runs that need them make them again.',
      );
    }
    return EXIT.done;
  });
}

/** What is in a backup, in words. */
export function contentText({ experiments, runs, tables, artifacts }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    pluralText(experiments, 'experiment'),
    pluralText(runs, 'run'),
    pluralText(rows, 'row'),
    pluralText(artifacts.length, 'artifact'),
  ].join(', ');
}

function sizeOf({ tables, artifacts }: BackupManifest): number {
  return [...tables, ...artifacts].reduce((sum, { bytes }) => sum + bytes, 0);
}

async function prepareFolder(folder: string): Promise<void> {
  try {
    // Specs and logs are nobody else's business.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    throw new ThawError('WORLD_DISK', `${folder} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  throw new ThawError('REQUEST_CONFLICT', `${folder} is not empty, and a backup is made into an empty folder.`, {
    remedy: 'Name another folder; it is made when it is not there.',
  });
}

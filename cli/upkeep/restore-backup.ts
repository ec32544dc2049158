import path from 'node:path';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { loadBackup } from '../../infra/postgres/backup-load.ts';
import { readManifest } from '../../infra/postgres/backup-manifest.ts';
import { verifyBackup } from '../../infra/postgres/backup-verification.ts';
import { listOpenExperiments } from '../../infra/postgres/run-rows.ts';
import { reconcile } from '../../infra/temporal/reconcile.ts';
import { backupStore, databaseUrl } from './backup-place.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { contentText } from './make-backup.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { withServices } from '../services/service-session.ts';
import { noteOnTerminal, print } from '../terminal/terminal.ts';

/** Brings a backup into a home without experiments; what was at work when it was made goes on. */
export async function restoreBackup(name: string): Promise<ExitCode> {
  const folder = path.resolve(name);
  const copies = backupStore(folder);
  const manifest = await readManifest(folder);
  noteOnTerminal('verifying the backup …');
  await verifyBackup(folder, manifest, copies);
  return withServices(async ({ configuration, database, orchestrator }) => {
    await loadBackup({
      url: await databaseUrl(configuration),
      folder,
      manifest,
      copies,
      artifacts: createFolderStore(configuration.artifacts),
      onProgress: noteOnTerminal,
    });
    print(`Restored from ${folder}, made ${manifest.created_at}: ${contentText(manifest)}.`);
    await reconcile(database, orchestrator);
    const goingOn = await listOpenExperiments(database);
    if (goingOn.length > 0) {
      print(`${pluralText(goingOn.length, 'experiment')} with open runs go${goingOn.length === 1 ? 'es' : ''} on:`);
      for (const { id } of goingOn) print(`  thaw watch ${id}`);
    }
    return EXIT.done;
  });
}

import path from 'node:path';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import type { Configuration } from '../../infra/configuration.ts';
import type { ListedArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import { takeServices } from '../services/service-session.ts';

/** The artifacts of a backup. */
export function backupStore(folder: string): ListedArtifactStore {
  return createFolderStore(path.join(folder, 'artifacts'));
}

/** Where the database is; called while its services are kept running. */
export async function databaseUrl(configuration: Configuration): Promise<string> {
  if (configuration.databaseUrl !== null) return configuration.databaseUrl;
  const services = await takeServices(configuration);
  services.release();
  return services.databaseUrl;
}

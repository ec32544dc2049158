import type { Database } from '../../infra/postgres/database.ts';
import { insertImport, type ImportRecord } from '../../infra/postgres/import-rows.ts';
import { linkImports } from '../../infra/postgres/used-import-rows.ts';

/** Stores an import of one start, and an experiment that has it contains it from now on. */
export async function seedImport(
  database: Database,
  experimentId: string,
  provenance: Pick<ImportRecord, 'name' | 'source' | 'licence' | 'personalData'>,
): Promise<void> {
  const hash = `start of ${provenance.name}`;
  await insertImport(database, {
    ...provenance,
    kind: 'trajectories',
    contentHash: `content of ${provenance.name}`,
    family: 'simple_spread',
    familyVersion: '1',
    familyOptions: {},
    importerVersion: 1,
    programVersion: '0.1.0',
    settings: {},
    recordingHash: 'recording',
    recordingBytes: 1,
    episodes: 1,
    steps: 1,
    starts: [{ name: 'first', episode: '0', step: 0, return: 1, start: {}, hash }],
    partners: [],
  });
  await linkImports(database, experimentId, [hash]);
}

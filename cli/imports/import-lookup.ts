import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { Queryable } from '../../infra/postgres/database.ts';
import { findImport, type Import, listImports } from '../../infra/postgres/import-rows.ts';
import { withDatabase, withRunningDatabase } from '../services/service-session.ts';

/** An import as specs need it. */
export interface LookedUpImport {
  /** Null when there is none of that name. */
  readonly found: Import | null;
  /** Names of all imports. */
  readonly known: readonly string[];
}

/** Finds what specs name. */
export interface ImportLookup {
  /** Null where nobody can be asked. */
  find(name: string): Promise<LookedUpImport | null>;
  policy(artifact: string): Promise<Uint8Array>;
}

async function lookUp(database: Queryable, name: string): Promise<LookedUpImport> {
  const found = await findImport(database, name);
  return { found, known: (await listImports(database)).map((each) => each.name) };
}

const policy = (artifact: string): Promise<Uint8Array> =>
  createFolderStore(readConfiguration(process.env).artifacts).read(artifact);

/** For verbs that need the services anyway: they are started. */
export const STARTING_LOOKUP: ImportLookup = {
  find: (name) => withDatabase((database) => lookUp(database, name)),
  policy,
};

/** For verbs that start nothing: only services that run are asked. */
export const RUNNING_LOOKUP: ImportLookup = {
  find: (name) => withRunningDatabase((database) => lookUp(database, name)),
  policy,
};

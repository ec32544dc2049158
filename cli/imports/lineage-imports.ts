import type { Database } from '../../infra/postgres/database.ts';
import { findSimulators, type RunLineage } from '../../infra/postgres/lineage-rows.ts';
import { findImported, type ImportedPart } from '../../infra/postgres/used-import-rows.ts';
import { importableHashes } from './importable-hashes.ts';

/** Lineages with what was imported in each of their simulators: it is a parent of those that contain it. */
export async function withImports(database: Database, lineages: readonly RunLineage[]): Promise<RunLineage[]> {
  const named = lineages.flatMap(({ panels, pools, candidates }) => [...panels, ...pools, ...candidates]);
  const simulators = await findSimulators(database, [...new Set(named.map(({ simulatorHash }) => simulatorHash))]);
  const imported = await findImported(database, importableHashes([...simulators.values()]));
  const imports = new Map<string, ImportedPart[]>();
  for (const [hash, simulator] of simulators) {
    const parts = importableHashes([simulator]).flatMap((each) => imported.get(each) ?? []);
    if (parts.length > 0) imports.set(hash, parts);
  }
  return lineages.map((lineage) => ({ ...lineage, imports }));
}

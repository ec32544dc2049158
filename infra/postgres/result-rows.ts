import type { Database } from './database.ts';
export interface PoolRow {
  variant: string;
  seed: number;
  round: number;
  name: string;
  simulatorHash: string;
  weight: number;
  parents: readonly string[];
  reason: string;
}
export async function listPools(database: Database, experimentId: string): Promise<PoolRow[]> {
  void database;
  void experimentId;
  return [];
}

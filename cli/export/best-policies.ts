import type { ExportRequest, ExportResponse } from '../../activities/session-messages.ts';
import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import type { Database } from '../../infra/postgres/database.ts';
import type { PolicyRun } from '../../infra/postgres/policy-rows.ts';
import { findPool } from '../../infra/postgres/pool-rows.ts';
import { findCheckpoint } from '../../infra/postgres/progress-rows.ts';
import { findRun } from '../../infra/postgres/run-rows.ts';
import { leaderOf } from '../../learning/strategies/leader.ts';
import { sessionHandlers } from '../worker/session-handlers.ts';

/** The policies of the checkpoint that was best on validation, made anew from it: a run stores those of its last one. */
export type MakeBestPolicies = (run: PolicyRun) => Promise<ReadonlyMap<string, Uint8Array> | string>;

/** @returns what makes them; it gives group of seats → model, or why there are none, as the end of a sentence */
export function createBestPolicies(database: Database, artifacts: ArtifactStore): MakeBestPolicies {
  const made = new Map<string, Uint8Array>();
  // Nothing that is made here is stored: reading is from the store, writing into memory.
  const handlers = sessionHandlers({ ...artifacts, write: async (content) => keep(made, content) });
  return async ({ sourceId, bestRound }) => {
    const pool = await findPool(database, sourceId, Math.max(0, bestRound! - 1));
    const checkpointHash = await findCheckpoint(database, sourceId, bestRound!);
    if (pool === null) return 'its pool is not stored';
    const flaw = checkpointHash === null ? null : await artifacts.flawOf(checkpointHash);
    if (flaw !== null) return `its checkpoint ${flaw}`;
    const { resolved, variantHash, seed } = await findRun(database, sourceId);
    const request: ExportRequest = { variantHash, resolved, seed, members: pool.members, checkpointHash };
    const policies = (await handlers['export']!(request, async () => undefined)) as ExportResponse;
    const leader = leaderOf(pool.members);
    const chosen = policies
      .filter(({ member }) => member === leader)
      .map(({ group, artifact }) => [String(group), made.get(artifact.hash)!] as const);
    made.clear();
    return new Map(chosen);
  };
}

function keep(made: Map<string, Uint8Array>, content: Uint8Array): { hash: string; bytes: number } {
  const hash = String(made.size);
  made.set(hash, content);
  return { hash, bytes: content.length };
}

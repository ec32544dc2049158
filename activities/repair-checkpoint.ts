import { findPolicyOrigin } from '../infra/postgres/artifact-rows.ts';
import { insertRunEvent } from '../infra/postgres/event-rows.ts';
import { findPool } from '../infra/postgres/pool-rows.ts';
import { findCheckpoint, findTrainedBy, listCheckpoints } from '../infra/postgres/progress-rows.ts';
import { findRun } from '../infra/postgres/run-rows.ts';
import { divergenceText } from '../learning/member-divergence.ts';
import { ThawError } from '../schemas/errors.ts';
import type { SimulatorData } from '../simulators/contract.ts';
import type { PolicyPartner } from '../simulators/outside-partners.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { flawOfCheckpoint } from './checkpoint-flaw.ts';
import { madeDifferently, policyWithoutOrigin } from './repair-failures.ts';
import type { ExportResponse, TrainResponse } from './session-messages.ts';
import { shrunkExecution } from './shrunk-execution.ts';
import { trainRequest } from './train-request.ts';

// What a run needs and is missing or damaged is made again: everything that goes into it is a committed row, or chance with
// a key. A policy comes out of a checkpoint, a checkpoint out of the one before it and the policies that played beside.
// Both go back to earlier rounds only, so that it ends. No row is written but the event that tells of it.

/** A round of a run, counted as completed ones: its own, or that of another run that it needs something of. */
interface RoundOfRun {
  readonly runId: string;
  readonly round: number;
}

interface NeededCheckpoint extends RoundOfRun {
  /** Whether training goes on from it, for which what members keep of former blocks must be whole, too. */
  readonly learns: boolean;
}

/**
 * The checkpoint of a run after so many rounds, whole; one that is missing or damaged is made again first, as a part of the
 * attempt. Null for round 0, which is the seed's initial weights.
 * @throws REQUEST_CONFLICT when other bytes come out, as on another kind of machine
 */
export async function wholeCheckpoint(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { runId, round, learns }: NeededCheckpoint,
): Promise<string | null> {
  const { database, artifacts } = dependencies;
  const hash = await findCheckpoint(database, runId, round);
  const flaw = hash === null ? null : await flawOfCheckpoint(artifacts, hash, { learns });
  if (flaw === null) return hash;
  const { whole, missing } = await roundsToTrain(dependencies, { runId, round });
  let before = whole?.hash ?? null;
  for (const checkpoint of missing) {
    const made = await trainAgain(dependencies, attempt, { runId, round: checkpoint.round, before });
    if (made !== checkpoint.hash) throw await madeDifferently(dependencies, { runId, ...checkpoint, made, flaw });
    before = made;
  }
  const from = whole === null ? 'the initial weights' : `round ${whole.round}`;
  const how = `from ${from} by training ${missing.length === 1 ? '1 round' : `${missing.length} rounds`}`;
  const what = `the checkpoint of round ${round}`;
  await insertRunEvent(database, runId, 'repaired', `${what} ${flaw}: made again ${how}, with the same hash`);
  return hash;
}

/** The nearest whole checkpoint before a broken one, null for the initial weights, and those after it, oldest first. */
async function roundsToTrain({ database, artifacts }: ActivityDependencies, { runId, round }: RoundOfRun) {
  const missing: { round: number; hash: string }[] = [];
  for (const checkpoint of await listCheckpoints(database, runId, { upTo: round })) {
    const mayBeWhole = checkpoint.round < round;
    const isWhole = mayBeWhole && (await flawOfCheckpoint(artifacts, checkpoint.hash, { learns: true })) === null;
    if (isWhole) return { whole: checkpoint, missing };
    missing.unshift(checkpoint);
  }
  return { whole: null, missing };
}

/** Trains the k-th round of a run, from the checkpoint before it. @returns hash of the one that it gives here and now, in words if none */
async function trainAgain(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { runId, round: k, before }: RoundOfRun & { before: string | null },
): Promise<string> {
  const { database, registries } = dependencies;
  const run = await findRun(database, await findTrainedBy(database, runId, k));
  const round = k - 1;
  const pool = await findPool(database, run.id, round);
  if (pool === null) throw new ThawError('DEFECT_INVARIANT', `${run.id} has no pool in round ${round}`);
  await requirePolicies(dependencies, attempt, pool.entries);
  const strategy = registries.strategies[run.resolved.strategy.kind]!;
  const settings = shrunkExecution(run, registries);
  const request = trainRequest(run, { round, pool, checkpointHash: before, strategy, settings });
  const made = await attempt.compute<TrainResponse>('train', request, { isRepeated: true });
  return made.divergence === null ? made.checkpoint.hash : `nothing: ${divergenceText(made.divergence)}`;
}

/**
 * Sees to it that the policies which act in some simulators are whole; one that is missing or damaged is made again.
 * @throws REQUEST_CONFLICT when it cannot be
 */
export async function requirePolicies(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  simulators: readonly { readonly simulator: SimulatorData }[],
): Promise<void> {
  const partners = simulators.flatMap(({ simulator }) => Object.values(simulator.partners));
  const policies = partners.filter(({ kind }) => kind === 'policy') as unknown as PolicyPartner[];
  for (const hash of new Set(policies.map(({ artifact }) => artifact))) {
    const flaw = await dependencies.artifacts.flawOf(hash);
    if (flaw !== null) await exportAgain(dependencies, attempt, { hash, flaw });
  }
}

async function exportAgain(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { hash, flaw }: { hash: string; flaw: string },
): Promise<void> {
  const { database } = dependencies;
  const origin = await findPolicyOrigin(database, hash);
  if (origin === null) throw policyWithoutOrigin(hash, flaw);
  const { runId, round } = origin;
  const { resolved, seed, variantHash } = await findRun(database, await findTrainedBy(database, runId, round));
  const pool = await findPool(database, runId, Math.max(0, round - 1));
  if (pool === null) throw new ThawError('DEFECT_INVARIANT', `${runId} has no pool before round ${round}`);
  const checkpointHash = await wholeCheckpoint(dependencies, attempt, { ...origin, learns: false });
  const session = { variantHash, resolved, seed, members: pool.members, checkpointHash };
  const made = await attempt.compute<ExportResponse>('export', session);
  if (!made.some(({ artifact }) => artifact.hash === hash)) {
    throw await madeDifferently(dependencies, { ...origin, hash, made: 'other policies', flaw });
  }
  const what = `the policy ${hash}, exported after round ${round} of ${runId},`;
  const { id } = attempt.run;
  await insertRunEvent(database, id, 'repaired', `${what} ${flaw}: exported again, with the same hash`);
}

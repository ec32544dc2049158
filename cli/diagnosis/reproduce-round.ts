import { trainRequest } from '../../activities/train-request.ts';
import type { TrainedRound, TrainRequest } from '../../activities/session-messages.ts';
import type { Device } from '../../infra/executors.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { insertReplay } from '../../infra/postgres/diagnosis-rows.ts';
import { findPool } from '../../infra/postgres/pool-rows.ts';
import { findCheckpoint } from '../../infra/postgres/progress-rows.ts';
import { findRun } from '../../infra/postgres/run-rows.ts';
import * as stored from '../../infra/postgres/stored-round.ts';
import { firstDifference } from '../../learning/diagnosis/first-difference.ts';
import type { Replay } from '../../learning/diagnosis/history.ts';
import { ThawError } from '../../schemas/errors.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { replayedRows } from './replayed-rows.ts';
import { reproductionText, type MachineChange, type Reproduction } from './reproduction-text.ts';

type Fingerprint = Readonly<Record<string, string>>;

export interface ReplayDependencies {
  readonly database: Database;
  /** Plays a round in a process that has played nothing else, and keeps nothing of it. */
  readonly train: (request: TrainRequest) => Promise<TrainedRound>;
  readonly fingerprint: (device: Device) => Fingerprint;
}

/**
 * Plays a round of a run again from the checkpoint before it, compares what it gives with the stored rows, and writes
 * into the run's log what came of it.
 *
 * @param round counted from 1; the last that can be played when left out
 * @throws REQUEST_BAD_ARGUMENT when the round is not there, or its checkpoint is no longer kept
 */
export async function reproduceRound(
  { database, train, fingerprint }: ReplayDependencies,
  namedRunId: string,
  round?: number,
): Promise<Reproduction> {
  const runId = await stored.findSourceRun(database, namedRunId);
  const chosen = chooseRound(runId, await stored.listReplayableRounds(database, runId), round);
  const run = await findRun(database, runId);
  const pool = await findPool(database, runId, chosen - 1);
  if (pool === null) throw new ThawError('DEFECT_INVARIANT', `${runId} has no pool in round ${chosen}`);
  const strategy = DEFAULT_REGISTRIES.strategies[run.resolved.strategy.kind]!;
  const checkpointHash = await findCheckpoint(database, runId, chosen - 1);
  const settings = { samplerProcesses: 1 };
  const response = await train(trainRequest(run, { round: chosen - 1, pool, checkpointHash, strategy, settings }));
  const rows = await stored.listStoredRound(database, runId, chosen);
  const then = await stored.findRoundFingerprint(database, runId, chosen);
  const reproduction = {
    runId,
    round: chosen,
    ...firstDifference(rows, replayedRows(response, pool.entries, chosen)),
    machineChanges: machineChanges(then, fingerprint(run.execution.device)),
  };
  await insertReplay(database, runId, replayOf(reproduction));
  return reproduction;
}

function chooseRound(runId: string, replayable: readonly number[], round: number | undefined): number {
  const chosen = round ?? replayable.at(-1);
  if (chosen !== undefined && replayable.includes(chosen)) return chosen;
  if (chosen === undefined) throw new ThawError('REQUEST_BAD_ARGUMENT', `${runId} has not completed a round yet.`);
  throw new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `Round ${chosen} of ${runId} cannot be played again: it is not completed, or the checkpoint before it is no longer kept.`,
    { remedy: `Rounds that can: ${replayable.join(', ') || 'none yet'}.` },
  );
}

function machineChanges(then: Fingerprint | null, now: Fingerprint) {
  return Object.entries(now)
    .map(([part, value]): MachineChange => ({ part, then: then?.[part] ?? null, now: value }))
    .filter((change) => change.then !== change.now);
}

function replayOf(reproduction: Reproduction): Replay {
  const { difference, machineChanges: changes } = reproduction;
  const outcome = difference === null ? 'equal' : changes.length === 0 ? 'differs' : 'differs_elsewhere';
  return { outcome, summary: reproductionText(reproduction) };
}

import type { Database } from '../infra/postgres/database.ts';
import { listMinedReturns, type MinedRecords } from '../infra/postgres/mined-rows.ts';
import type { SimulatorRecord } from '../infra/postgres/pool-rows.ts';
import type { Mined } from '../learning/failures/contract.ts';
import type { World } from '../simulators/contract.ts';
import type { Attempt } from './attempt.ts';
import { mineRequest, type Mining } from './mine-request.ts';
import { minedSamples } from './run-samples.ts';
import type { MineResponse, SessionState } from './session-messages.ts';
import { simulatorRecord } from './simulator-record.ts';

/** What is stored of a mining. */
export interface MinedParts {
  readonly records: MinedRecords;
  readonly simulators: readonly SimulatorRecord[];
}

/** Has the run's policy play the validation panel, and tells which of its episodes went badly. */
export async function mineValidation(
  database: Database,
  attempt: Attempt,
  { session, ...mining }: Omit<Mining, 'earlier'> & { readonly session: SessionState },
): Promise<{ mined: Mined; parts: MinedParts }> {
  const { round, world } = mining;
  // They count where the episodes are the same.
  const earlier =
    mining.mining.draws === 'fixed' ? await listMinedReturns(database, attempt.run.id, { before: round }) : {};
  const found = await attempt.compute<MineResponse>('mine', mineRequest(session, { ...mining, earlier }));
  return { mined: { ...found, samples: minedSamples(found, world) }, parts: minedParts(found, world) };
}

function minedParts({ simulators, failures, samples }: MineResponse, world: World): MinedParts {
  const played = new Map(simulators.map(({ name, simulator }) => [name, simulatorRecord(world, simulator)]));
  return {
    records: {
      simulators: simulators.map(({ simulator: _, ...mined }) => ({
        ...mined,
        simulatorHash: played.get(mined.name)!.hash,
      })),
      failures: failures.map(({ simulator: _, states: __, ...failure }) => ({
        ...failure,
        simulatorHash: played.get(failure.name)!.hash,
      })),
      samples,
    },
    simulators: [...played.values()],
  };
}

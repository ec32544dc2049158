import { listSamples } from '../infra/postgres/episode-sample-rows.ts';
import type { Database } from '../infra/postgres/database.ts';
import { listMinedData } from '../infra/postgres/mined-rows.ts';
import { listPlayedEntries, type PlayedEntry } from '../infra/postgres/pool-rows.ts';
import { type SampleColumns, SAMPLES_MAX } from '../learning/rollout/sample-log.ts';
import type { NamedSimulator } from '../learning/strategies/contract.ts';
import type { EpisodeSample } from '../learning/rollout/episode-sample.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';

/** The newest episodes of a run up to a round, the oldest first, each with the parameters it was played with. */
export async function runSamples(
  database: Database,
  runId: string,
  { upTo, world }: { upTo: number; world: World },
): Promise<EpisodeSample[]> {
  const stored = await listSamples(database, runId, { upTo, count: SAMPLES_MAX });
  const trained = stored.filter(({ source }) => source === 'training').map(({ round }) => round - 1);
  const pools = await listPlayedEntries(database, runId, trained);
  const samples: EpisodeSample[] = [];
  for (const part of stored.toReversed()) {
    const { round, source } = part;
    const entries =
      source === 'training' ? pools.get(round - 1)! : asPlayed(await listMinedData(database, runId, round));
    samples.push(...samplesOf(part, entries, world));
  }
  return samples.slice(-SAMPLES_MAX);
}

/** What was mined just now, as it will be told when it is stored. */
export function minedSamples(
  { simulators, samples }: { simulators: readonly NamedSimulator[]; samples: SampleColumns },
  world: World,
): EpisodeSample[] {
  return samplesOf(samples, asPlayed(simulators.map(({ simulator }) => simulator)), world);
}

/** Draws are written into what is mined. */
function asPlayed(simulators: readonly SimulatorData[]): PlayedEntry[] {
  return simulators.map((simulator) => ({ simulator, randomization: {} }));
}

function samplesOf(
  { positions, drawn, returns, successes, shortfalls }: SampleColumns,
  entries: readonly PlayedEntry[],
  world: World,
): EpisodeSample[] {
  const compiled = entries.map(({ simulator, randomization }) => ({
    parameters: world.compile(simulator),
    columns: Object.keys(randomization)
      .sort()
      .map((path) => world.parameters.findIndex((parameter) => parameter.path === path)),
  }));
  let next = 0;
  return positions.map((position, index) => {
    const { parameters, columns } = compiled[position]!;
    const played = Float64Array.from(parameters);
    for (const column of columns) {
      const value = drawn[next++]!;
      // Not a number where this simulator has no such parameter: another partner sits there.
      if (!Number.isNaN(value)) played[column] = value;
    }
    return {
      parameters: played,
      return: returns[index]!,
      success: successes[index]!,
      shortfall: shortfalls[index]!,
    };
  });
}

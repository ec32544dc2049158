import { actionSizeOf } from '../../../simulators/actions.ts';
import type { RandomStream } from '../../../simulators/random.ts';
import type { SampleColumns } from '../../rollout/sample-log.ts';
import type { Mined, MiningPlan } from '../contract.ts';
import { describeFailure } from './describe-failure.ts';
import { groupByMedoids } from './group-by-medoids.ts';
import { type Judged, judgeSimulator, minedSimulator, scoredEpisodes } from './judge-simulator.ts';
import { type MiningPlay, type Played, playEverybody } from './play-everybody.ts';
import { selectFailures } from './select-failures.ts';
import { shortfallOf } from './shortfall.ts';
import { startPaths } from './start-numbers.ts';

// Letters: E episodes of a simulator.

export interface MineOptions extends MiningPlay {
  readonly plan: MiningPlan;
  /** By name of a simulator: returns of the same episodes at earlier minings, each of shape [E]. */
  readonly earlier: Readonly<Record<string, readonly (readonly number[])[]>>;
  /** Draws failures where they are to be random. */
  readonly random: RandomStream;
}

/** What was found, every mined episode as an entry of columns: positions are places among the simulators. */
export interface Found extends Omit<Mined, 'samples'> {
  readonly samples: SampleColumns;
}

/**
 * Plays simulators, and tells which episodes went badly: everybody plays, each simulator is judged by the best that is
 * known of it, failures are selected, described at the moment at which they went wrong, and grouped by what stood near.
 */
export async function mine(options: MineOptions): Promise<Found> {
  const { world, keys, plan, player, earlier, random } = options;
  const played = await playEverybody(options);
  const judged = options.simulators.map((named, position) =>
    judgeSimulator(named, position, played, earlier[named.name] ?? []),
  );
  const selected = selectFailures(judged.flatMap(scoredEpisodes), plan, random);
  const failures = selected.map(({ position, episode, score }) => {
    const { episodes, ...named } = judged[position]!;
    return describeFailure(world, { named, key: keys[episode]!, episode, score, traced: episodes[episode]! });
  });
  const places = failures.map(({ features }) => features);
  const groups = groupByMedoids(places, plan.groupsMax);
  return {
    simulators: judged.map(minedSimulator),
    failures: failures.map((failure, index) => ({ ...failure, ...groups[index]! })),
    statePaths: startPaths(world),
    actionSize: actionSizeOf(world),
    samples: sampleColumns(judged, player.learner.returns.gamma),
    envSteps: envStepsOf(played),
  };
}

function sampleColumns(judged: readonly Judged[], gamma: number): SampleColumns {
  const played = judged.flatMap(({ episodes }) => episodes);
  return {
    positions: judged.flatMap(({ episodes }, position) => episodes.map(() => position)),
    drawn: [],
    returns: played.map((episode) => episode.return),
    successes: played.map(({ success }) => success),
    shortfalls: played.map((episode) => shortfallOf(episode, gamma)),
  };
}

function envStepsOf(played: Played): number {
  return Object.values(played)
    .flat(2)
    .reduce((sum, { length }) => sum + length, 0);
}

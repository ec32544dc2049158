import type { SimulatorData, World } from '../../simulators/contract.ts';
import type { Key, RandomStream } from '../../simulators/random.ts';
import type { Learner } from '../algorithms/contract.ts';
import { drivenSeatsOf, presentLearners } from '../rollout/driven-seats.ts';
import type { PolicyLoader } from '../rollout/partner-policies.ts';
import type { Player } from '../rollout/playing-group.ts';
import type { SampleColumns } from '../rollout/sample-log.ts';
import { withScriptedReference } from '../rollout/scripted-reference.ts';
import { mean } from '../statistics/moments.ts';
import type { NamedSimulator } from '../strategies/contract.ts';
import type { Failure, Mined, MinedSimulator, MiningPlan } from './contract.ts';
import { groupByMedoids } from './group-by-medoids.ts';
import { keyMomentOf } from './key-moment.ts';
import { type Contender, normalizedScore, type Yardstick, yardstickOf } from './known-return.ts';
import { playTraced } from './play-traced.ts';
import { selectFailures } from './select-failures.ts';
import { shortfallOf } from './shortfall.ts';
import { numbersOfStart, startPaths } from './start-numbers.ts';
import type { TracedEpisode } from './traced-episode.ts';

// Letters: E episodes of a simulator.

export interface MiningOptions {
  readonly world: World;
  readonly player: Extract<Player, { kind: 'policy' }> & { readonly learner: Pick<Learner, 'returns'> };
  readonly learners: readonly number[];
  /** As they are played; in each of them some learner is present. */
  readonly simulators: readonly NamedSimulator[];
  /** Shape [E]: of the episodes of each simulator, the same for all. */
  readonly keys: readonly Key[];
  readonly plan: MiningPlan;
  /** By name of a simulator: returns of the same episodes at earlier minings, each of shape [E]. */
  readonly earlier: Readonly<Record<string, readonly (readonly number[])[]>>;
  /** Draws failures where they are to be random. */
  readonly random: RandomStream;
  readonly loadPolicy: PolicyLoader;
  readonly onProgress: (episodesDone: number) => void | Promise<void>;
}

/** What was found, every mined episode as an entry of columns: positions are places among the simulators. */
export interface Found extends Omit<Mined, 'samples'> {
  readonly samples: SampleColumns;
}

/** One simulator with the policy's episodes and what they are held against. */
interface Judged extends NamedSimulator {
  readonly episodes: readonly TracedEpisode[];
  readonly yardstick: Yardstick;
}

/**
 * Plays the simulators, and tells which episodes went badly: play, hold against the best that is known, select, find the
 * moments at which they went wrong, group by what stood near at these.
 */
export async function mine(options: MiningOptions): Promise<Found> {
  const { world, plan, player, random } = options;
  const played = await playEverybody(options);
  const judged = options.simulators.map((named, position) => judge(named, played, position, options));
  const failures = selectFailures(judged.flatMap(scoredEpisodes), plan, random).map((scored) =>
    failureOf(scored, judged[scored.position]!, options),
  );
  const groups = groupByMedoids(
    failures.map(({ features }) => features),
    plan.groupsMax,
  );
  return {
    simulators: judged.map(minedSimulator),
    failures: failures.map((failure, index) => ({ ...failure, ...groups[index]! })),
    statePaths: startPaths(world),
    samples: sampleColumns(judged, player.learner.returns.gamma),
    envSteps: Object.values(played)
      .flat(2)
      .reduce((sum, { length }) => sum + length, 0),
  };
}

type Played = Readonly<Record<'policy' | 'random' | 'scripted', TracedEpisode[][]>>;

/** The same episodes by the run's policy and by those that it is held against. */
async function playEverybody({ player, ...options }: MiningOptions): Promise<Played> {
  const { world, learners, keys, loadPolicy, onProgress } = options;
  const simulators = options.simulators.map(({ simulator }) => simulator);
  let done = 0;
  const play = {
    world,
    simulators,
    learners: simulators.map((simulator) => presentLearners(learners, simulator)),
    keys,
    loadPolicy,
    onProgress: (episodes: number) => onProgress(done + episodes),
  };
  const policy = await playTraced(player, play);
  done += policy.flat().length;
  const random = await playTraced({ kind: 'random' }, play);
  done += random.flat().length;
  // Whoever plays has every seat that the policy has, those of `self` partners included.
  const scripted = await playTraced(player, {
    ...play,
    simulators: simulators.map((simulator) => scriptedEverywhere(world, simulator)),
  });
  return { policy, random, scripted };
}

function scriptedEverywhere(world: World, simulator: SimulatorData): SimulatorData {
  return withScriptedReference(world, simulator, drivenSeatsOf(world, [simulator]).flat());
}

function judge(
  named: NamedSimulator,
  { policy, random, scripted }: Played,
  position: number,
  { earlier }: MiningOptions,
): Judged {
  const returnsOf = (episodes: readonly TracedEpisode[]) => episodes.map((episode) => episode.return);
  const contenders: Contender[] = [
    { by: 'scripted', returns: returnsOf(scripted[position]!) },
    ...(earlier[named.name] ?? []).map((returns): Contender => ({ by: 'earlier', returns })),
  ];
  const yardstick = yardstickOf(returnsOf(random[position]!), contenders);
  return { ...named, episodes: policy[position]!, yardstick };
}

/** Nothing can be learnt from what is impossible, so nothing there is a failure. */
function scoredEpisodes({ episodes, yardstick }: Judged, position: number) {
  if (yardstick.isImpossible) return [];
  return episodes.map((played, episode) => ({
    position,
    episode,
    score: normalizedScore(played.return, yardstick),
  }));
}

function failureOf(
  { episode, score }: { readonly episode: number; readonly score: number },
  { name, simulator, episodes }: Judged,
  { world, keys }: MiningOptions,
): Omit<Failure, 'group' | 'isMedoid'> {
  const { actions, rewards, values, features, states, ...outcome } = episodes[episode]!;
  const keyMoment = keyMomentOf(values);
  return {
    name,
    simulator,
    episode,
    key: keys[episode]!,
    return: outcome.return,
    score,
    keyMoment,
    features: features[keyMoment]!,
    actions,
    rewards,
    values,
    states: states.map((state) => numbersOfStart(world, simulator, state)),
  };
}

function minedSimulator({ name, simulator, episodes, yardstick }: Judged): MinedSimulator {
  const returnMean = mean(episodes.map((episode) => episode.return));
  return { name, simulator, episodes: episodes.length, returnMean, ...yardstick };
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

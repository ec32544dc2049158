import type { Failure, Mined, MinedSimulator } from '../../learning/failures/contract.ts';
import { startPaths } from '../../learning/failures/mining/start-numbers.ts';
import type { GeneratorContext } from '../../learning/failures/generators/contract.ts';
import type { NamedSimulator } from '../../learning/strategies/contract.ts';
import type { EpisodeSample } from '../../learning/rollout/episode-sample.ts';
import { actionSizeOf } from '../../simulators/actions.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { episodeKey, type PlayedEpisode, playAtRandom } from './play-at-random.ts';
import { scripted, simulatorOf } from './small-learning.ts';
import { type Situation, SITUATIONS } from './strategy-situation.ts';

// Letters: T steps of an episode.

/** How much less a critic thinks of a reward that is one step farther away. */
const DISCOUNT = 0.95;

export interface MadeUpMining {
  /** Of each simulator. */
  readonly episodes: number;
  /** Failures of each simulator: its worst episodes. */
  readonly failures: number;
  readonly groups: number;
  readonly seed: number;
}

const PLAIN_MINING: MadeUpMining = { episodes: 12, failures: 3, groups: 3, seed: 1 };

const validated = (world: World, written: Readonly<Record<string, object>>): NamedSimulator[] =>
  Object.entries(written).map(([name, each]) => ({ name, simulator: simulatorOf(world, each) }));

/** Foraging of two players, of whom the first learns; one simulator starts anew each time, one about a given start. */
function foragingSituation(): Situation {
  const family = FAMILIES['foraging']!;
  const world = family.open(family.optionsSchema.parse({}));
  const start = {
    players: [
      [0, 0, 1],
      [7, 7, 2],
    ],
    food: [
      [3, 3, 2],
      [5, 5, 3],
    ],
  };
  return {
    world,
    learners: [0],
    train: validated(world, { nearest: scripted(1, 'nearest_food') }),
    validation: validated(world, {
      farthest: scripted(1, 'farthest_food', { epsilon: 0.2 }),
      random: scripted(1, 'random'),
      placed: { ...scripted(1, 'highest_food'), scenarios: { start, start_spread: 2 } },
    }),
    ranges: { 'rules.move_success': [0.5, 1], 'rules.sight': [1, 8], 'partners.1.epsilon': [0, 0.5] },
  };
}

/** Two cooks, of whom the first learns; one simulator starts as its drawing says, one anywhere, one about a given start. */
function kitchenSituation(): Situation {
  const family = FAMILIES['kitchen']!;
  const world = family.open(family.optionsSchema.parse({ episode_steps: 40 }));
  const start = {
    layout: 'coordination_ring',
    players: [
      [1, 1, 'south', 'onion'],
      [3, 3, 'north', 'nothing'],
    ],
    objects: [[0, 3, 'soup_oo', 0]],
  };
  return {
    world,
    learners: [0],
    train: validated(world, { greedy: scripted(1, 'greedy') }),
    validation: validated(world, {
      onions: { ...scripted(1, 'onion_only', { epsilon: 0.2 }), scenarios: { start_spread: 20 } },
      random: scripted(1, 'random'),
      placed: { ...scripted(1, 'plate_only'), scenarios: { start, start_spread: 2 } },
    }),
    ranges: { 'rules.cook_time': [5, 40], 'scenarios.layout': [0, 4], 'partners.1.epsilon': [0, 0.5] },
  };
}

function spreadSituation(): Situation {
  const { world } = SITUATIONS.spread;
  return {
    ...SITUATIONS.spread,
    validation: validated(world, {
      top: scripted(1, 'topmost_landmark'),
      random: scripted(1, 'random'),
      weighted: scripted(1, 'weighted', { weights: { x: 1, index: -0.5 }, epsilon: 0.3 }),
    }),
    ranges: { ...SITUATIONS.spread.ranges, 'partners.1.weights.x': [-1, 1], 'partners.1.epsilon': [0, 0.5] },
  };
}

function tagSituation(): Situation {
  const { world } = SITUATIONS.tag;
  return {
    ...SITUATIONS.tag,
    validation: validated(world, {
      flee: scripted(3, 'flee_nearest'),
      corner: scripted(3, 'corner', { corner: 1, epsilon: 0.1 }),
      random: scripted(3, 'random'),
    }),
  };
}

/** The same as in `spread`, in a world of boxes. */
function boxSituation(): Situation {
  const { world } = SITUATIONS.spread;
  return { ...spreadSituation(), world: FAMILIES[world.family]!.open({ ...world.options, continuous_actions: true }) };
}

/** A listener that learns beside a speaker with other actions than its own. */
function talkSituation(): Situation {
  const family = FAMILIES['simple_speaker_listener']!;
  const world = family.open(family.optionsSchema.parse({}));
  return {
    world,
    learners: [1],
    train: validated(world, { faithful: scripted(0, 'faithful') }),
    validation: validated(world, {
      other: scripted(0, 'code_book', { code_book: 3, epsilon: 0.1 }),
      random: scripted(0, 'random'),
      lossy: { ...scripted(0, 'faithful'), perturbations: { channel_loss: 0.5, channel_noise: 0.2 } },
    }),
    ranges: { 'rules.damping': [0.1, 0.5], 'perturbations.channel_loss': [0, 0.8], 'partners.0.epsilon': [0, 0.5] },
  };
}

/** One situation of every family, with partners that have an epsilon and partners that have none. */
export const FAILING_SITUATIONS: Readonly<
  Record<'spread' | 'boxes' | 'tag' | 'talk' | 'foraging' | 'kitchen', Situation>
> = {
  spread: spreadSituation(),
  boxes: boxSituation(),
  tag: tagSituation(),
  talk: talkSituation(),
  foraging: foragingSituation(),
  kitchen: kitchenSituation(),
};

/** What a generator is told in a situation before anything is known that would predict. */
export function contextOf({ world, learners, ranges }: Situation): GeneratorContext {
  const { parameters } = world;
  const compile = (simulator: SimulatorData) => world.compile(simulator);
  return { randomization: ranges, parameters, compile, learners, predict: null, known: [], scale: 0.1 };
}

/**
 * What a mining of the validation panel could have found: real episodes of random learners with the panel's partners.
 * Values and groups are made up: a critic who half knows what is coming, and groups dealt in turn.
 */
export function madeUpMined(situation: Situation, changes: Partial<MadeUpMining> = {}): Mined {
  const mining = { ...PLAIN_MINING, ...changes };
  const found = situation.validation.map((named, index) => {
    const played = Array.from({ length: mining.episodes }, (_, episode) =>
      playAtRandom(situation.world, named.simulator, {
        learners: situation.learners,
        key: episodeKey(mining.seed, index, episode),
      }),
    );
    return { named, played, judged: judgedEpisodes(named, played) };
  });
  const worstFirst = (one: Failure, other: Failure) => one.score - other.score;
  const failures = found.flatMap(({ judged }) => judged.toSorted(worstFirst).slice(0, mining.failures));
  return {
    simulators: found.map(({ named, judged }) => minedSimulator(named, judged)),
    failures: failures.toSorted(worstFirst).map((failure, index) => ({
      ...failure,
      group: index % mining.groups,
      isMedoid: index < mining.groups,
    })),
    statePaths: startPaths(situation.world),
    actionSize: actionSizeOf(situation.world),
    samples: found.flatMap(({ played, judged }) =>
      judged.map((failure, episode) => sampleOf(situation.world, failure, played[episode]!)),
    ),
    envSteps: found.flatMap(({ judged }) => judged).reduce((sum, { rewards }) => sum + rewards.length, 0),
  };
}

/** The best known policy is made up: it does a little better than the best of the episodes. */
function knownReturn(returns: readonly number[]): number {
  return Math.max(...returns) + 1;
}

function minedSimulator({ name, simulator }: NamedSimulator, judged: readonly Failure[]): MinedSimulator {
  const returns = judged.map((failure) => failure.return);
  return {
    name,
    simulator,
    episodes: judged.length,
    returnMean: meanOf(returns),
    randomMean: meanOf(returns),
    knownMean: knownReturn(returns),
    knownBy: 'scripted',
    isImpossible: false,
  };
}

/** Every episode as if it were a failure; groups are not known yet. */
function judgedEpisodes({ name, simulator }: NamedSimulator, played: readonly PlayedEpisode[]): Failure[] {
  const hindsight = played.map(({ rewards }) => returnsToGo(rewards));
  const returns = played.map(({ rewards }) => rewards.reduce((sum, reward) => sum + reward, 0));
  const random = meanOf(returns);
  return played.map(({ key, actions, rewards, states, features }, episode) => {
    const values = hindsight[episode]!.map((own, step) => {
      const others = hindsight.map((each) => each[step] ?? 0);
      return (own + meanOf(others)) / 2;
    });
    const drops = rewards.map((_, step) => values[step]! - values[step + 1]!);
    const keyMoment = drops.indexOf(Math.max(...drops));
    const score = (returns[episode]! - random) / (knownReturn(returns) - random);
    const told = { name, simulator, episode, key, return: returns[episode]!, score, keyMoment };
    return { ...told, features: features[keyMoment]!, group: 0, isMedoid: false, actions, rewards, values, states };
  });
}

function sampleOf(world: World, failure: Failure, { success }: PlayedEpisode): EpisodeSample {
  const shortfall = failure.values[0]! - returnsToGo(failure.rewards)[0]!;
  return { parameters: world.compile(failure.simulator), return: failure.return, success, shortfall };
}

/** Discounted, shape [T+1]; 0 at the end. */
function returnsToGo(rewards: readonly number[]): number[] {
  const toGo = [0];
  for (const reward of rewards.toReversed()) toGo.unshift(reward + DISCOUNT * toGo[0]!);
  return toGo;
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

import { ThawError } from '../../schemas/errors.ts';
import { createActions } from '../../simulators/actions.ts';
import type { ActionArray, Batch, SimulatorData, World } from '../../simulators/contract.ts';
import { foldIn, type Key, keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { type ActionHead, actionHead } from '../rollout/action-head.ts';
import { presentLearners } from '../rollout/driven-seats.ts';
import { EpisodeReturns } from '../rollout/episode-return.ts';
import { FeatureHistograms, NOT_COUNTED } from '../rollout/feature-histograms.ts';
import { withScriptedReference } from '../rollout/scripted-reference.ts';

// Letters: E episodes, B = 2 E environments, N seats, K bins of all state features together.

/** What two known policies meet in a simulator: the random one, and the scripted reference of the family. */
export interface SimulatorProbe {
  /** Shape [2 E N K]: visits, for each policy, episode and seat a histogram of every state feature, one after the other. */
  readonly visits: Int32Array;
  /** Shape [2 N K]: the same summed over episodes. */
  readonly pooledVisits: Int32Array;
  /** Bins of each state feature, in the order in which they stand in the histograms. */
  readonly bins: readonly number[];
  /** Shape [2][E]: returns of each policy's episodes, ascending. */
  readonly returns: readonly [random: Float64Array, reference: Float64Array];
}

export interface ProbeOptions {
  /** Seats that the policies are put on, where no partner sits; partners that do not act by a script are random. */
  readonly learners: readonly number[];
  /** Episode e starts alike and has the same chance in every simulator probed with the same seed. */
  readonly seed: number;
  /** The first episode that is played, 0 where nothing is said. */
  readonly first?: number;
  /** E, at least 2. */
  readonly episodes: number;
}

/** Enough to tell a built-in simulator from another by 5 % of a rule, and few enough to take a few milliseconds. */
export const PROBE_EPISODES = 128;

/**
 * Plays both policies in a simulator.
 * @throws REQUEST_NOT_AVAILABLE for continuous actions, and for a world that is not stepped in this process
 */
export function probeSimulator(world: World, simulator: SimulatorData, options: ProbeOptions): SimulatorProbe {
  const { episodes, seed, learners, first = 0 } = options;
  const seats = presentLearners(learners, simulator);
  const players = [simulator, withScriptedReference(world, simulator, seats)].map((played) => world.compile(played));
  const batch = world.createBatch(2 * episodes);
  const keys: Key[] = [];
  for (let environment = 0; environment < batch.environmentCount; environment += 1) {
    const key = keyFrom(seed, PURPOSE.evaluation, first + (environment % episodes));
    keys.push(foldIn(key, PURPOSE.actionSampling));
    batch.reset(environment, players[environment < episodes ? 0 : 1]!, key);
  }
  const { visits, returns } = play(world, batch, keys, seats.length > 0 ? seats : allSeats(world));
  batch.close?.();
  return {
    visits,
    pooledVisits: pool(visits, episodes),
    bins: world.features.map(({ bins }) => bins),
    returns: [returns.slice(0, episodes).sort(), returns.slice(episodes).sort()],
  };
}

/** The probe of one simulator's first episodes and of those after them, as if all had been played at once. */
export function joinProbes(opening: SimulatorProbe, rest: SimulatorProbe): SimulatorProbe {
  const half = ({ visits }: SimulatorProbe, policy: number) =>
    visits.subarray((policy * visits.length) / 2, ((policy + 1) * visits.length) / 2);
  const visits = new Int32Array(opening.visits.length + rest.visits.length);
  let at = 0;
  for (const policy of [0, 1]) {
    for (const part of [opening, rest]) {
      visits.set(half(part, policy), at);
      at += part.visits.length / 2;
    }
  }
  return {
    visits,
    pooledVisits: opening.pooledVisits.map((count, index) => count + rest.pooledVisits[index]!),
    bins: opening.bins,
    returns: [joined(opening.returns[0], rest.returns[0]), joined(opening.returns[1], rest.returns[1])],
  };
}

/** @returns ascending */
function joined(some: Float64Array, others: Float64Array): Float64Array {
  return Float64Array.of(...some, ...others).sort();
}

/** @param rewarded seats whose mean reward counts where the family is not cooperative */
function play(world: World, batch: Batch, keys: readonly Key[], rewarded: readonly number[]) {
  const { environmentCount } = batch;
  const histograms = new FeatureHistograms(world, environmentCount, environmentCount);
  const running = new EpisodeReturns(world, environmentCount);
  const returns = new Float64Array(environmentCount);
  const setOf = Int32Array.from(keys.keys());
  const players = new RandomPlayers(world, keys);
  for (let environment = 0; environment < environmentCount; environment += 1) running.start(environment, rewarded);
  for (let step = 0; step < world.episodeStepsMax; step += 1) {
    histograms.add(batch, setOf);
    if (batch.step(players.act(step)) !== undefined) throw steppedElsewhere(world);
    running.add(batch);
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const hasEnded = batch.ended[environment] === 1 || batch.truncated[environment] === 1;
      if (!hasEnded || setOf[environment] === NOT_COUNTED) continue;
      returns[environment] = running.returns[environment]!;
      setOf[environment] = NOT_COUNTED;
    }
  }
  return { visits: histograms.counts, returns };
}

/** Uniformly random actions of every seat, a function of the episode's key and the step alone. */
class RandomPlayers {
  private readonly keys: readonly Key[];
  /** Of every seat. */
  private readonly heads: readonly ActionHead[];
  private readonly actions: ActionArray;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  constructor(world: World, keys: readonly Key[]) {
    this.keys = keys;
    const heads: ActionHead[] = [];
    for (const { seats, actions } of world.groups) for (const seat of seats) heads[seat] = actionHead(actions);
    this.heads = heads;
    this.actions = createActions(world, keys.length);
  }

  /** @returns shape [B N W], overwritten by the next call */
  act(step: number): ActionArray {
    let index = 0;
    for (const { high, low } of this.keys) {
      this.random.rekey(high, low);
      this.random.seek(step);
      for (const head of this.heads) {
        head.any(this.random, this.actions, index);
        index += head.actionSize;
      }
    }
    return this.actions;
  }
}

function pool(visits: Int32Array, episodes: number): Int32Array {
  const size = visits.length / (2 * episodes);
  const pooled = new Int32Array(2 * size);
  for (let episode = 0; episode < 2 * episodes; episode += 1) {
    const policy = episode < episodes ? 0 : size;
    for (let index = 0; index < size; index += 1) pooled[policy + index]! += visits[episode * size + index]!;
  }
  return pooled;
}

function allSeats(world: World): number[] {
  return Array.from({ length: world.seatCount }, (_, seat) => seat);
}

function steppedElsewhere({ family }: World): ThawError {
  return new ThawError(
    'REQUEST_NOT_AVAILABLE',
    `Distances between simulators need a world that is stepped in this process, which ${family} is not.`,
  );
}

import { beginAttempt } from '../../infra/postgres/attempt-rows.ts';
import type { CandidateRecord, EvictionRecord } from '../../infra/postgres/candidate-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import type { MinedRecords } from '../../infra/postgres/mined-rows.ts';
import { commitPool, NO_PARTS, type SimulatorRecord } from '../../infra/postgres/pool-rows.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { type Key, keyFrom, PURPOSE } from '../../simulators/random.ts';
import { scripted, simulatorOf } from './small-learning.ts';

// Letters: T steps of an episode, N seats.

type FailureRecord = MinedRecords['failures'][number];

/** Rounds completed when the failures were mined, and when the pool was decided on again. */
export const MINED_ROUND = 2;
export const LATER_ROUND = 4;

/** Simulators in which episodes fail: the second holds back and repeats what is done, the third needs a policy. */
const FAILING: Readonly<Record<string, object>> = {
  top: scripted(1, 'topmost_landmark', { epsilon: 0.2 }),
  late: { ...scripted(1, 'nearest_landmark'), perturbations: { action_delay: 2, sticky_actions: 0.3 } },
  taught: { partners: { '1': { kind: 'policy', artifact: 'a'.repeat(64) } } },
};

export interface SeededFailures {
  readonly simulators: readonly SimulatorData[];
  readonly failures: readonly FailureRecord[];
  readonly candidates: readonly CandidateRecord[];
  readonly evictions: readonly EvictionRecord[];
}

/**
 * Stores one failure in each of three simulators, mined for a run of `simple_spread` with two agents, and what was made
 * of the first two: two simulators that entered the pool, of which one left it, and one that was refused.
 */
export async function seedFailures(database: Database, runId: string, world: World): Promise<SeededFailures> {
  const simulators = Object.values(FAILING).map((written) => simulatorOf(world, written));
  const names = Object.keys(FAILING);
  const failures = names.map((name, index) => failureIn(world, { name, simulator: simulators[index]!, index }));
  const seeded = { simulators, failures, candidates: CANDIDATES, evictions: EVICTIONS };
  const records = simulators.map((simulator, index) => stored(world, hashOf(index), simulator));
  const mined: MinedRecords = {
    simulators: [...names, 'hopeless'].map((name, index) => ({
      name,
      simulatorHash: hashOf(index % 3),
      ...returnsIn(index),
    })),
    failures,
    samples: { positions: [], drawn: [], returns: [], successes: [], shortfalls: [] },
  };
  const parts = { ...NO_PARTS, simulators: records };
  await decide(database, runId, MINED_ROUND, { ...parts, mined, candidates: CANDIDATES });
  await decide(database, runId, LATER_ROUND, { ...parts, evictions: EVICTIONS });
  return seeded;
}

const hashOf = (index: number): string => `f${index}`.repeat(8);

const stored = (world: World, hash: string, simulator: SimulatorData): SimulatorRecord => ({
  hash,
  family: world.family,
  familyVersion: world.version,
  familyOptions: world.options,
  simulator,
});

/** The last of the simulators is impossible. */
const returnsIn = (index: number) => ({
  episodes: 20,
  returnMean: -9 - index,
  randomMean: -20,
  knownMean: -4 / 3,
  knownBy: 'scripted' as const,
  isImpossible: index === 3,
});

const CANDIDATES: readonly CandidateRecord[] = [
  { ...candidate('near~1', '2.1'), score: 0.75 },
  { ...candidate('near~2', '2.1'), score: NaN, refusal: 'as good as in the pool' },
  { ...candidate('habit~3', '2.2'), novelty: 0.5 },
  candidate('drawn~4', null),
];

const EVICTIONS: readonly EvictionRecord[] = [
  { name: 'near~1', simulatorHash: hashOf(0), contribution: 0.01, reason: 'taught the least' },
];

function candidate(name: string, failure: string | null): CandidateRecord {
  return {
    name,
    simulatorHash: hashOf(0),
    parents: ['top'],
    origin: `made up: ${name}`,
    ...(failure === null ? {} : { failure }),
    score: 1 / 3,
    novelty: NaN,
    refusal: null,
    probe: null,
  };
}

async function decide(database: Database, runId: string, round: number, parts: typeof NO_PARTS): Promise<void> {
  const token = await beginAttempt(database, { runId, kind: 'adapt_pool', round, worker: 'w', fingerprint: {} });
  const pool = { round, entries: [], members: ONE_LEARNER, state: {}, episodeRule: PLAIN_EPISODES };
  await commitPool(database, token, pool, parts);
}

/** An episode as it was played, by a plain loop. Both failures with a scripted partner are of one group. */
function failureIn(
  world: World,
  { name, simulator, index }: { name: string; simulator: SimulatorData; index: number },
): FailureRecord {
  const key = keyFrom(7, PURPOSE.mining, index);
  const played = playedIn(world, simulator, key);
  const keyMoment = 5 + index;
  return {
    name,
    simulatorHash: hashOf(index),
    episode: 3 * index,
    key,
    return: played.return,
    score: index / 3,
    keyMoment,
    features: Array.from({ length: world.seatCount * world.features.length }, (_, place) => place / 10),
    group: index === 2 ? 1 : 0,
    isMedoid: index !== 1,
    actions: played.actions,
    rewards: played.rewards,
    values: Array.from({ length: played.actions.length + 1 }, (_, step) => (step > keyMoment ? -Infinity : 1 / 3)),
  };
}

/** The return is the team's; rewards are those of the learner in seat 0. */
function playedIn(world: World, simulator: SimulatorData, key: Key) {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(simulator), key);
  const actions: number[][] = [];
  const rewards: number[] = [];
  let sum = 0;
  while (batch.ended[0] === 0 && batch.truncated[0] === 0) {
    const given = Int32Array.from({ length: world.seatCount }, (_, seat) => (3 * actions.length + seat) % 5);
    void batch.step(given);
    actions.push(Array.from(given, (action, seat) => (batch.external[seat] === 1 ? action : batch.actions[seat]!)));
    rewards.push(batch.rewards[0]!);
    sum += batch.rewards.reduce((total, reward) => total + reward, 0);
  }
  return { actions, rewards, return: sum };
}

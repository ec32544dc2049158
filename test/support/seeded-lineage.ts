import { beginAttempt, type AttemptToken } from '../../infra/postgres/attempt-rows.ts';
import type { CandidateRecord } from '../../infra/postgres/candidate-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import type { MinedRecords } from '../../infra/postgres/mined-rows.ts';
import { commitPool, NO_PARTS, type PoolParts, type SimulatorRecord } from '../../infra/postgres/pool-rows.ts';
import { commitRound } from '../../infra/postgres/round-rows.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import type { PoolRecord } from '../../schemas/records.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE } from '../../simulators/random.ts';
import { simulatorHash } from '../../specification/identity.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

export const FIRST_DECISION = 2;
export const SECOND_DECISION = 4;
/** Rounds that were trained. */
const ROUNDS = 5;

/** Written damping by name: draws on the validation simulator `top`, and one on `zero` that was refused. */
const MADE = {
  'top~1': ['top', 0.1],
  'top~2': ['top', 0.5],
  'zero~3': ['zero', 0.4],
} as const;

/** Returns of training get better by this in every round. */
export const GAIN = 0.5;
export const EPISODES = 64;

/**
 * Stores the lineage of a run of the example experiment: it starts with `zero` and `left`; from a failure on `top`, mined
 * after two rounds, `top~1` is made, which takes the place of `left`, and after four rounds `top~2` from `top~1`. `zero~3`
 * is refused. @returns hashes by name
 */
export async function seedLineage(
  database: Database,
  runId: string,
  variant: ResolvedVariant,
): Promise<Record<string, string>> {
  const records = recordsOf(variant);
  const hashes = Object.fromEntries(Object.entries(records).map(([name, { hash }]) => [name, hash]));
  const token = await beginAttempt(database, { runId, kind: 'adapt_pool', round: 0, worker: 'w', fingerprint: {} });
  const entry = (name: string, change: Partial<PoolRecord> = {}) => entryOf(name, hashes[name]!, change);
  const parts = { ...NO_PARTS, simulators: Object.values(records) };
  const [zero, left] = [entry('zero'), entry('left')];
  const first = entry('top~1', { parents: ['top'], failure: '2.1', weight: 0.75, reason: 'most to learn' });
  const second = entry('top~2', { parents: ['top~1'], failure: '2.1' });
  await decide(database, token, { round: 0, entries: [zero, left] }, parts);
  const pools = [{ round: 0, entries: [zero, left] }];
  pools.push({ round: FIRST_DECISION, entries: [zero, first] });
  pools.push({ round: SECOND_DECISION, entries: [zero, { ...first, weight: 0.25, contribution: 0.375 }, second] });
  await decide(database, token, pools[1]!, {
    ...parts,
    mined: minedIn(hashes['top']!),
    candidates: [
      { ...candidateOf('top~1', hashes, 'top'), failure: '2.1', score: 0.75 },
      { ...candidateOf('zero~3', hashes, 'zero'), refusal: 'too easy', probe: PROBE },
    ],
    evictions: [{ name: 'left', simulatorHash: hashes['left']!, contribution: 0.0625, reason: 'taught the least' }],
  });
  const third = { ...candidateOf('top~2', hashes, 'top~1'), failure: '2.1' };
  await decide(database, token, pools[2]!, { ...parts, candidates: [third] });
  for (let round = 1; round <= ROUNDS; round += 1) {
    await train(database, token, round, pools.findLast((pool) => pool.round < round)!.entries);
  }
  return hashes;
}

function recordsOf(variant: ResolvedVariant): Record<string, SimulatorRecord> {
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const made = Object.entries(MADE).map(([name, [parent, damping]]): [string, SimulatorData] => {
    const simulator = variant.simulators[parent]!;
    return [name, { ...simulator, rules: { ...simulator.rules, damping } }];
  });
  return Object.fromEntries(
    [...Object.entries(variant.simulators), ...made].map(([name, simulator]) => [
      name,
      {
        hash: simulatorHash(world, simulator),
        family: world.family,
        familyVersion: world.version,
        familyOptions: world.options,
        simulator,
      },
    ]),
  );
}

function entryOf(name: string, hash: string, change: Partial<PoolRecord>): PoolRecord {
  return {
    name,
    simulatorHash: hash,
    weight: 0.5,
    parents: [],
    reason: `chose ${name}`,
    randomization: {},
    learns: true,
    failure: null,
    contribution: null,
    ...change,
  };
}

function decide(
  database: Database,
  token: AttemptToken,
  pool: { round: number; entries: readonly PoolRecord[] },
  parts: PoolParts,
): Promise<void> {
  return commitPool(database, token, { ...pool, members: ONE_LEARNER, state: {}, episodeRule: PLAIN_EPISODES }, parts);
}

const PROBE = { episodes: 16, returnMean: -3, returnStd: 1, lengthMean: 25, successRate: 0 };

function candidateOf(name: string, hashes: Record<string, string>, parent: string): CandidateRecord {
  const judged = { score: NaN, novelty: 0.25, refusal: null, probe: null };
  return { name, simulatorHash: hashes[name]!, parents: [parent], origin: `drawn around ${parent}`, ...judged };
}

function minedIn(hash: string): MinedRecords {
  const returns = { returnMean: -20, randomMean: -40, knownMean: -10, knownBy: 'scripted' as const };
  return {
    simulators: [{ name: 'top', simulatorHash: hash, episodes: 20, isImpossible: false, ...returns }],
    failures: [
      {
        name: 'top',
        simulatorHash: hash,
        episode: 3,
        key: keyFrom(7, PURPOSE.evaluation, 3),
        return: -35,
        score: 0.125,
        keyMoment: 1,
        features: [0.5],
        group: 0,
        isMedoid: true,
        actions: [
          [0, 1],
          [2, 3],
        ],
        rewards: [-1, -2],
        values: [0, -1, -2],
      },
    ],
    samples: { positions: [], drawn: [], returns: [], successes: [], shortfalls: [] },
  };
}

/** Members of a pool differ in their returns by 10. */
async function train(
  database: Database,
  token: AttemptToken,
  round: number,
  entries: readonly PoolRecord[],
): Promise<void> {
  await commitRound(database, token, {
    round,
    envSteps: 1000 * round,
    checkpoint: { hash: 'c0ffee', bytes: 3 },
    episodes: entries.map(({ name, simulatorHash: hash }, position) => ({
      name,
      simulatorHash: hash,
      episodes: EPISODES,
      returnMean: -20 - 10 * position + GAIN * round,
      returnStd: 1,
      lengthMean: 25,
      successRate: 0,
      visitation: [],
      scores: { positiveValueLoss: 1, valueMean: 0, discountedReturnMax: 0, shortfall: 8 - round },
    })),
    samples: null,
    members: [],
    costs: [],
    metrics: {},
    wallS: 1,
    peakRssMib: 100,
    segments: [],
    idleShares: [],
    peakGpuMib: null,
  });
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runSamples } from '../../activities/run-samples.ts';
import { simulatorRecord } from '../../activities/simulator-record.ts';
import { beginAttempt, type AttemptToken } from '../../infra/postgres/attempt-rows.ts';
import {
  type CandidateRecord,
  type EvictionRecord,
  insertCandidates,
  insertEvictions,
} from '../../infra/postgres/candidate-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { insertSamples, listSamples, type SampleSource } from '../../infra/postgres/episode-sample-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { insertMined, listMinedData, listMinedReturns, type MinedRecords } from '../../infra/postgres/mined-rows.ts';
import { commitPool, insertSimulators, NO_PARTS } from '../../infra/postgres/pool-rows.ts';
import { type SampleColumns, SAMPLES_MAX } from '../../learning/rollout/sample-log.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { seedExperiment } from '../support/seeded-experiment.ts';
import { openSpread, scripted, simulatorOf } from '../support/small-learning.ts';

const world = openSpread({ agents: 2 });
const SIMULATORS = ['nearest_landmark', 'noop', 'random'].map((name) => simulatorOf(world, scripted(1, name)));
const RECORDS = SIMULATORS.map((simulator) => simulatorRecord(world, simulator));
const hashOf = (index: number) => RECORDS[index]!.hash;

let postgres: TestPostgres;
let database: Database;
let token: AttemptToken;

beforeAll(async () => void (postgres = await startTestPostgres()));
beforeEach(async () => {
  ({ database } = await postgres.createDatabase());
  await seedExperiment(database);
  token = await beginFor('frozen');
  await insertSimulators(database, RECORDS);
});
afterAll(() => postgres.stop());

function beginFor(variant: string): Promise<AttemptToken> {
  const attempt = { kind: 'adapt_pool', round: 0, worker: 'w', fingerprint: {} } as const;
  return beginAttempt(database, { runId: runId('example-1', variant, 0), ...attempt });
}

async function rowsOf(query: string): Promise<Record<string, unknown>[]> {
  return (await database.query(query)).rows;
}

/** Episodes without draws, told apart by their returns. */
const columnsOf = (...returns: readonly number[]): SampleColumns => ({
  positions: returns.map(() => 0),
  drawn: [],
  returns,
  successes: returns.map((value) => value > 0),
  shortfalls: returns.map((value) => value / 2),
});
const NOT_FINITE: SampleColumns = {
  positions: [1, 0, 1],
  drawn: [0.25, NaN, 1 / 3],
  returns: [NaN, Infinity, -70.123456789012345],
  successes: [true, false, true],
  shortfalls: [-Infinity, NaN, 1e-300],
};

describe('episodes one by one', () => {
  const list = (upTo: number, count: number) => listSamples(database, token.runId, { upTo, count });

  it('written twice are written once, and NaN and infinities come back as they were', async () => {
    const source: SampleSource = { round: 1, source: 'training' };
    for (let repetition = 0; repetition < 2; repetition += 1) {
      await insertSamples(database, token.runId, source, NOT_FINITE);
    }
    await insertSamples(database, token.runId, source, columnsOf(1));
    expect(await list(1, 99)).toEqual([{ ...source, ...NOT_FINITE }]);
  });

  it('may be none', async () => {
    await insertSamples(database, token.runId, { round: 1, source: 'mining' }, columnsOf());
    expect(await list(1, 99)).toEqual([{ round: 1, source: 'mining', ...columnsOf() }]);
  });

  it('are told in whole rounds, the newest first, until there are enough, what was mined in a round before the rest', async () => {
    const stored: (SampleSource & { readonly returns: readonly number[] })[] = [
      { round: 3, source: 'mining', returns: [9] },
      { round: 3, source: 'training', returns: [6, 7, 8] },
      { round: 2, source: 'training', returns: [3, 4, 5] },
      { round: 1, source: 'mining', returns: [2] },
      { round: 1, source: 'training', returns: [0, 1] },
    ];
    // Stored in another order than they are told in.
    for (const { returns, ...source } of stored.toSorted((one, other) => one.returns[0]! - other.returns[0]!)) {
      await insertSamples(database, token.runId, source, columnsOf(...returns));
    }
    const expected = stored.map(({ returns, ...source }) => ({ ...source, ...columnsOf(...returns) }));
    const sizes = stored.map(({ returns }) => returns.length);
    for (let count = 1; count <= 12; count += 1) {
      const before = (index: number) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
      expect(await list(3, count)).toEqual(expected.filter((_, index) => before(index) < count));
    }
    expect(await list(2, 99)).toEqual(expected.slice(2));
    expect(await list(0, 99)).toEqual([]);
  });

  it('of one run are not told to another', async () => {
    const other = await beginFor('pool');
    await insertSamples(database, other.runId, { round: 1, source: 'training' }, columnsOf(1));
    expect(await list(9, 99)).toEqual([]);
  });
});

describe('the episodes that a strategy is told of', () => {
  const paths = ['partners.1.epsilon', 'rules.damping'];
  const indexOf = (path: string) => world.parameters.findIndex((parameter) => parameter.path === path);
  const entry = { weight: 0.5, parents: [], reason: '', learns: true, failure: null, contribution: null };
  // Another order than that of the draws.
  const ranges = { 'rules.damping': [0.1, 0.5], 'partners.1.epsilon': [0, 0.9] } as const;

  /** The pool of rounds from one on. The second simulator has no ranges, the third no partner with an epsilon. */
  async function withPool(round: number, positions: readonly number[]): Promise<void> {
    const entries = positions.map((position) => ({
      ...{ ...entry, name: `entry ${position}`, simulatorHash: hashOf(position) },
      randomization: position === 1 ? {} : ranges,
    }));
    const pool = { round, entries, members: ONE_LEARNER, state: {}, episodeRule: PLAIN_EPISODES };
    await commitPool(database, token, pool, NO_PARTS);
  }

  const sample = (position: number, draws: readonly number[], value: number) => {
    const parameters = world.compile(SIMULATORS[position]!);
    for (const [index, draw] of draws.entries()) {
      if (!Number.isNaN(draw)) parameters[indexOf(paths[index]!)] = draw;
    }
    return { parameters, return: value, success: value > 0, shortfall: value / 2 };
  };

  it('have the parameters of the pool of their round with their own draws, the oldest first, mined ones last', async () => {
    await withPool(0, [0, 1, 2]);
    await withPool(1, [2, 1]);
    const rounds: [SampleSource, SampleColumns][] = [
      [
        { round: 1, source: 'training' },
        { ...columnsOf(1, 2, 3), positions: [2, 1, 0], drawn: [NaN, 0.2, 0.6, 0.3] },
      ],
      [
        { round: 2, source: 'training' },
        { ...columnsOf(4, 5), positions: [1, 0], drawn: [NaN, 0.4] },
      ],
    ];
    for (const [source, columns] of rounds) await insertSamples(database, token.runId, source, columns);
    await insertMined(database, token.runId, 1, minedOf({ samples: columnsOf(7) }));
    expect(await runSamples(database, token.runId, { upTo: 2, world })).toEqual([
      sample(2, [NaN, 0.2], 1),
      sample(1, [], 2),
      sample(0, [0.6, 0.3], 3),
      // The mined one is of the first of the simulators that were mined.
      sample(1, [], 7),
      sample(1, [], 4),
      sample(2, [NaN, 0.4], 5),
    ]);
  });

  it('are the newest 2048, where draws were made also', async () => {
    await withPool(0, [0]);
    const counted = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
    for (const [index, [first, count]] of (
      [
        [0, 10],
        [10, 1500],
        [1510, 1000],
      ] as const
    ).entries()) {
      const returns = counted(first, count);
      const drawn = returns.flatMap((value) => [(value % 90) / 100, 0.1 + (value % 40) / 100]);
      const columns = { ...columnsOf(...returns), drawn };
      await insertSamples(database, token.runId, { round: index + 1, source: 'training' }, columns);
    }
    expect(await runSamples(database, token.runId, { upTo: 3, world })).toEqual(
      counted(2510 - SAMPLES_MAX, SAMPLES_MAX).map((value) =>
        sample(0, [(value % 90) / 100, 0.1 + (value % 40) / 100], value),
      ),
    );
  });
});

const DRAWN: CandidateRecord = {
  name: 'top@3.1~1',
  simulatorHash: hashOf(0),
  parents: ['top'],
  origin: 'made up: "quoted"',
  score: 1 / 3,
  novelty: Infinity,
  refusal: null,
  probe: { episodes: 16, returnMean: -70.123456789012345, returnStd: 1, lengthMean: 25, successRate: 0 },
};
const CANDIDATE: CandidateRecord = { ...DRAWN, failure: '3.1' };

describe('candidates', () => {
  const columns = `name, simulator_hash, parents, origin, failure, score, novelty, refusal, probe_episodes, probe_return`;
  const stored = () => rowsOf(`select position, ${columns} from candidates order by run_id, round, position`);
  const asRow = ({ simulatorHash, failure, probe, ...candidate }: CandidateRecord, position: number) => ({
    ...{ ...candidate, position, simulator_hash: simulatorHash, failure: failure ?? null },
    ...{ probe_episodes: probe?.episodes ?? 0, probe_return: probe?.returnMean ?? NaN },
  });
  const candidates: CandidateRecord[] = [
    CANDIDATE,
    { ...DRAWN, name: 'zero~1', score: NaN, novelty: -Infinity, refusal: 'outdone', probe: null },
  ];

  it('written twice are written once, and NaN and infinities come back as they were', async () => {
    for (let repetition = 0; repetition < 2; repetition += 1) {
      await insertCandidates(database, token.runId, 3, candidates);
    }
    expect(await stored()).toEqual(candidates.map(asRow));
  });

  it('take the place of those of an earlier try at the decision, and of no other decision', async () => {
    await insertCandidates(database, token.runId, 2, candidates);
    await insertCandidates(database, token.runId, 3, candidates);
    await insertCandidates(database, token.runId, 3, candidates.slice(1));
    expect(await stored()).toEqual([...candidates.map(asRow), asRow(candidates[1]!, 0)]);
    await insertCandidates(database, token.runId, 3, []);
    expect(await stored()).toEqual(candidates.map(asRow));
  });
});

describe('evictions', () => {
  const unmeasured: EvictionRecord = { name: 'zero', simulatorHash: hashOf(1), reason: 'oldest' };
  const EVICTION: EvictionRecord = { ...unmeasured, contribution: 1 / 3 };
  const stored = () => rowsOf('select round, position, name, contribution from evictions order by round, position');

  it('written twice are written once, without a contribution where there is none', async () => {
    const evictions = [EVICTION, { ...unmeasured, name: 'left' }];
    for (let repetition = 0; repetition < 2; repetition += 1) {
      await insertEvictions(database, token.runId, 3, evictions);
    }
    expect(await stored()).toEqual([
      { round: 3, position: 0, name: 'zero', contribution: 1 / 3 },
      { round: 3, position: 1, name: 'left', contribution: null },
    ]);
  });

  it('take the place of those of an earlier try', async () => {
    await insertEvictions(database, token.runId, 2, [EVICTION]);
    await insertEvictions(database, token.runId, 3, [EVICTION, EVICTION]);
    await insertEvictions(database, token.runId, 3, [{ ...EVICTION, contribution: -Infinity }]);
    expect(await stored()).toMatchObject([{ round: 2 }, { round: 3, position: 0, contribution: -Infinity }]);
  });
});

/** Two simulators, the second of the names first, with one failure. */
function minedOf(change: Partial<MinedRecords> = {}): MinedRecords {
  const means = { episodes: 2, returnMean: NaN, randomMean: -Infinity, knownMean: 1 / 3, knownBy: 'earlier' as const };
  return {
    simulators: [
      { name: 'top', simulatorHash: hashOf(1), ...means, isImpossible: false },
      { name: 'late', simulatorHash: hashOf(0), ...means, isImpossible: true },
    ],
    failures: [
      {
        ...{ name: 'top', simulatorHash: hashOf(1), episode: 1, key: { high: 2 ** 32 - 1, low: 7 } },
        ...{ return: -Infinity, score: NaN, keyMoment: 0, features: [0.5, NaN], group: 0, isMedoid: true },
        ...{ actions: [[0, 4]], rewards: [Infinity], values: [NaN, -Infinity] },
      },
    ],
    samples: { ...columnsOf(1, 2, NaN, 4), positions: [0, 0, 1, 1] },
    ...change,
  };
}

describe('what was mined', () => {
  it('written twice is written once, and NaN and infinities come back as they were', async () => {
    const mined = minedOf();
    for (let repetition = 0; repetition < 2; repetition += 1) await insertMined(database, token.runId, 3, mined);
    const simulators = await rowsOf(
      `select name, simulator_hash, episodes, return_mean, random_mean, known_mean, known_by, is_impossible
         from mined_simulators order by position`,
    );
    expect(simulators).toEqual(
      mined.simulators.map((each) => ({
        ...{ name: each.name, simulator_hash: each.simulatorHash, episodes: each.episodes },
        ...{ return_mean: each.returnMean, random_mean: each.randomMean, known_mean: each.knownMean },
        ...{ known_by: each.knownBy, is_impossible: each.isImpossible },
      })),
    );
    const failures = await rowsOf(
      `select episode, key_high, key_low, return, score, features, actions, rewards, critic_values, is_medoid from failures`,
    );
    expect(failures).toEqual(
      mined.failures.map(({ episode, key, score, features, actions, rewards, values, isMedoid, ...failure }) => ({
        ...{ episode, key_high: key.high, key_low: key.low, return: failure.return, score, features, actions, rewards },
        ...{ critic_values: values, is_medoid: isMedoid },
      })),
    );
    expect(await listSamples(database, token.runId, { upTo: 3, count: 9 })).toEqual([
      { round: 3, source: 'mining', ...mined.samples },
    ]);
  });

  it('takes the place of what an earlier try found', async () => {
    await insertMined(database, token.runId, 3, minedOf());
    const samples = columnsOf(-3);
    const again = minedOf({ simulators: minedOf().simulators.slice(1), failures: [], samples });
    await insertMined(database, token.runId, 3, again);
    expect(await rowsOf('select position, name from mined_simulators')).toEqual([{ position: 0, name: 'late' }]);
    expect(await rowsOf('select from failures')).toEqual([]);
    expect(await listSamples(database, token.runId, { upTo: 3, count: 9 })).toEqual([
      { round: 3, source: 'mining', ...samples },
    ]);
  });

  it('gives the simulators back in the order in which they were mined, of their round alone', async () => {
    await insertMined(database, token.runId, 3, minedOf());
    expect(await listMinedData(database, token.runId, 3)).toEqual([SIMULATORS[1], SIMULATORS[0]]);
    expect(await listMinedData(database, token.runId, 2)).toEqual([]);
  });

  it('gives the returns of earlier minings by simulator, the oldest mining first, episodes in their order', async () => {
    await insertMined(database, token.runId, 3, minedOf());
    await insertMined(database, token.runId, 6, minedOf({ samples: { ...columnsOf(8, 7), positions: [1, 0] } }));
    // Training is no mining.
    await insertSamples(database, token.runId, { round: 3, source: 'training' }, columnsOf(99));
    const first = { top: [[1, 2]], late: [[NaN, 4]] };
    expect(await listMinedReturns(database, token.runId, { before: 3 })).toEqual({});
    expect(await listMinedReturns(database, token.runId, { before: 6 })).toEqual(first);
    expect(await listMinedReturns(database, token.runId, { before: 7 })).toEqual({
      top: [...first.top, [7]],
      late: [...first.late, [8]],
    });
  });
});

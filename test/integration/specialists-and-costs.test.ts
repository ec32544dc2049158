import type { ResultRow } from '../../learning/results/result-row.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { specialistRegret } from '../../learning/results/specialist-regret.ts';
import { beginAttempt, commitInAttempt } from '../../infra/postgres/attempt-rows.ts';
import { insertCosts, sumCosts, type Cost } from '../../infra/postgres/cost-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { commitEvaluation } from '../../infra/postgres/evaluation-rows.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { scores } from '../support/result-row.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';

let postgres: TestPostgres;
let database: Database;
beforeAll(async () => void (postgres = await startTestPostgres()));
beforeEach(async () => void ({ database } = await postgres.createDatabase()));
afterAll(() => postgres.stop());

const ID = 'example-1';

async function begin(variant: string, seed: number) {
  const attempt = { kind: 'finish_run', round: 5, worker: 'w', fingerprint: {} } as const;
  return beginAttempt(database, { runId: runId(ID, variant, seed), ...attempt });
}

/** Gives a run the mean return of its last checkpoint on one simulator of a panel. */
async function evaluate(variant: string, seed: number, panel: 'train' | 'test', returns: Record<string, number>) {
  const evaluations = Object.entries(returns).map(([name, returnMean]) => ({
    panel,
    name,
    simulatorHash: `hash of ${name}`,
    referenceHash: 'r',
    weight: 1,
    returnMean,
    returnStd: 1,
    lengthMean: 25,
    successRate: 0,
    returns: [returnMean],
    lengths: [25],
    successes: [false],
    visitation: [],
    visitationDivergence: null,
  }));
  const simulators = evaluations.map(({ simulatorHash }) => ({
    hash: simulatorHash,
    family: 'simple_spread',
    familyVersion: '1',
    familyOptions: {},
    simulator: { partners: {}, rules: {}, scenarios: {}, rewards: {}, perturbations: {} },
  }));
  const commit = { round: 5, checkpoint: 'last' as const, evaluations, simulators, scores: scores(), costs: [] };
  await commitEvaluation(database, await begin(variant, seed), commit);
}

async function rowOf(variant: string, seed: number): Promise<ResultRow> {
  const rows = await listResultRows(database, ID);
  return rows.find((row) => row.variant === variant && row.seed === seed)!;
}

describe('specialists', () => {
  const overrides = ['panels.test=["far","right"]', 'simulators.right={"rules":{"damping":0.4}}'];

  beforeEach(async () => {
    await seedExperiment(database, { overrides: [...overrides, 'specialists=["each","panel"]'] });
  });

  it('are marked as such, at the end of the rows', async () => {
    const rows = await listResultRows(database, ID);
    expect(rows.filter(({ seed }) => seed === 0).map(({ variant, specialist }) => [variant, specialist])).toEqual([
      ['frozen', null],
      ['pool', null],
      ['specialist.far', 'each'],
      ['specialist.right', 'each'],
      ['specialist.panel', 'panel'],
    ]);
  });

  it('are held against a run simulator by simulator, seed by seed', async () => {
    await evaluate('pool', 0, 'test', { far: -12, right: -10 });
    await evaluate('specialist.far', 0, 'train', { far: -8 });
    await evaluate('specialist.far', 1, 'train', { far: -6 });
    await evaluate('specialist.right', 0, 'train', { right: -9 });
    const { testReturns } = await rowOf('pool', 0);
    expect(testReturns).toEqual([
      { own: -12, specialist: -8 },
      { own: -10, specialist: -9 },
    ]);
    expect(specialistRegret({ testReturns })).toBe((4 + 1) / 2);
  });

  it('of a seed that is missing count with the mean of the others, and not at all where none has come so far', async () => {
    await evaluate('pool', 1, 'test', { far: -12, right: -10 });
    await evaluate('specialist.far', 0, 'train', { far: -8 });
    // The variant of the whole panel trains on the same simulator, and is no specialist of it.
    await evaluate('specialist.panel', 0, 'train', { far: -7, right: -7 });
    const { testReturns } = await rowOf('pool', 1);
    expect(testReturns).toEqual([
      { own: -12, specialist: -8 },
      { own: -10, specialist: null },
    ]);
    expect(specialistRegret({ testReturns })).toBeNull();
  });

  it('are nothing to themselves', async () => {
    await evaluate('specialist.far', 0, 'train', { far: -8 });
    expect((await rowOf('specialist.far', 0)).testReturns).toEqual([]);
  });
});

describe('costs', () => {
  const COSTS: readonly Cost[] = [
    { round: 1, activity: 'train_round', purpose: 'training', envSteps: 6400 },
    { round: 1, activity: 'train_round', purpose: 'scoring', envSteps: 100 },
    { round: 2, activity: 'train_round', purpose: 'training', envSteps: 6400 },
    { round: 2, activity: 'adapt_pool', purpose: 'mining', envSteps: 3_000_000_000 },
    { round: 2, activity: 'evaluate_panels', purpose: 'evaluation', envSteps: 50 },
  ];
  const add = async (seed: number, costs: readonly Cost[]): Promise<void> => {
    const token = await begin('pool', seed);
    await commitInAttempt(database, token, null, (client) => insertCosts(client, token.runId, costs));
  };

  beforeEach(async () => void (await seedExperiment(database)));

  it('are summed by purpose, and counted once however often an activity is tried', async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) await add(0, COSTS);
    const sums = { training: 12_800, scoring: 100, mining: 3_000_000_000, evaluation: 50 };
    expect(await sumCosts(database, ID)).toEqual(new Map([[runId(ID, 'pool', 0), sums]]));
    expect((await rowOf('pool', 0)).costs).toEqual(sums);
    expect((await rowOf('pool', 1)).costs).toBeNull();
    expect((await rowOf('pool', 0)).budget).toMatchObject({ env_steps: 100_000, count: 'training' });
  });

  it('of a SKIPPED run are those of the run it is equal to', async () => {
    await add(0, COSTS);
    await finishRun(database, runId(ID, 'pool', 0));
    await seedExperiment(database, { id: 'again', overrides: ['name=again'] });
    const [again] = (await listResultRows(database, 'again')).filter(({ state }) => state === 'SKIPPED');
    expect(again!.costs).toEqual((await rowOf('pool', 0)).costs);
  });

  it('are part of what must be the same after any disturbance', async () => {
    const before = await deterministicDigest(database, ID);
    await add(0, COSTS);
    expect(await deterministicDigest(database, ID)).not.toBe(before);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adaptPool } from '../../activities/adapt-pool.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { trainRound } from '../../activities/train-round.ts';
import { createSessionHandlers } from '../../activities/training-session.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import type { ChildPool } from '../../infra/children/child-pool.ts';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../../infra/onnx/model.ts';
import { loadPolicy } from '../../infra/onnx/policy-model.ts';
import { sumCosts } from '../../infra/postgres/cost-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { insertExperiment, runId } from '../../infra/postgres/experiment-rows.ts';
import { listMinedReturns } from '../../infra/postgres/mined-rows.ts';
import type { Evidence } from '../../learning/strategies/contract.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { resolveExperiment } from '../../specification/resolve.ts';
import { minerRegistries } from '../support/mining-strategy.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { specDocument } from '../support/spec-document.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-mined-'));
let postgres: TestPostgres;
let database: Database;
beforeAll(async () => void (postgres = await startTestPostgres()));
beforeEach(async () => void ({ database } = await postgres.createDatabase()));
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const ROUNDS = 3;
const RUN = runId('mined', 'miner', 0);

/** Everything an activity needs, its training process being this one. */
function createDependencies(): { dependencies: ActivityDependencies; told: Evidence[] } {
  const { registries, told } = minerRegistries();
  const artifacts = createFolderStore(folder);
  const handlers = createSessionHandlers({
    clock: () => 0,
    executorOn: async () => createOnnxExecutor(),
    artifacts,
    registries,
    loadModel: loadPolicy,
    workFolders: '/nowhere',
    exportModel: (graph, metadata) => onnxModelFromGraph(graph, { dynamicRows: true, metadata }),
  });
  const children = {
    reserve: async ({ memoryMib }) => ({ memoryMib, release: () => undefined }),
    request: async ({ kind, payload }) => ({
      kind: 'done',
      // As it comes out of another process.
      result: structuredClone(await handlers[kind]!(structuredClone(payload), async () => undefined)),
      processId: 1,
      peakRssMib: 1,
    }),
  } as Partial<ChildPool> as ChildPool;
  const names = { worker: 'w', fingerprint: () => ({}), programVersion: '0', clock: () => 0 };
  return { dependencies: { database, artifacts, children, registries, ...names }, told };
}

/** Submits a run that mines after every round, and takes it through its rounds. */
async function runMiner(draws: 'fixed' | 'fresh', copies = false): Promise<Evidence[]> {
  const { dependencies, told } = createDependencies();
  const document = {
    ...specDocument(),
    simulators: {
      ...specDocument().simulators,
      top: { partners: { 1: { kind: 'scripted', name: 'noop' } } },
      late: { partners: { 1: { kind: 'scripted', name: 'random' } } },
    },
    panels: { train: ['zero', 'left'], validation: ['top', 'late'], test: ['far'] },
    algorithm: { name: 'ippo', hidden_sizes: [8], parallel_environments: 8 },
    budget: { env_steps: ROUNDS * 8 * 25, rounds: ROUNDS },
    variants: { miner: { strategy: { kind: 'miner', draws, copies } } },
    seeds: [0],
  };
  const registries = dependencies.registries;
  const resolution = resolveExperiment(document, { fileName: 'mined.json', overrides: [], registries });
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.problems));
  await insertExperiment(database, {
    id: 'mined',
    identityHash: 'mined',
    document: {},
    resolved: resolution.experiment,
    panelSimulators: panelSimulatorsByVariant(resolution.experiment.variants, registries),
    sourceFile: 'mined.json',
    programVersion: '0',
  });
  // Resolving the spec asked the strategy, too.
  told.length = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await inActivity(() => adaptPool(dependencies, { runId: RUN, round }));
    await inActivity(() => trainRound(dependencies, { runId: RUN, round }));
  }
  return told;
}

function inActivity(work: () => Promise<void>): Promise<void> {
  const context = { heartbeat: () => undefined, cancellationSignal: new AbortController().signal };
  return asyncLocalStorage.run(context as unknown as Context, work);
}

describe('a strategy that always proposes a held-out simulator', () => {
  it('goes on without it: it enters no pool, and the run does not fail', async () => {
    const told = await runMiner('fixed', true);
    // Asked again with other chance first, as often as it takes to know that chance does not help.
    expect(told.length).toBeGreaterThan(2 * ROUNDS);
    const { rows: pools } = await database.query('select distinct round, name from pools where run_id = $1', [RUN]);
    expect(new Set(pools.map(({ round }) => round))).toEqual(new Set([0, 1, 2]));
    expect(pools.map(({ name }) => name)).not.toContain('copy');
    const { rows: candidates } = await database.query('select name from candidates where name = $1', ['copy']);
    expect(candidates).toEqual([]);
  });
});

describe('a strategy that has validation mined', () => {
  it('is told of it, and it is in the rows with the decision', async () => {
    const told = await runMiner('fixed');
    expect(told.map(({ mined }) => mined === null)).toEqual([true, false, false]);
    for (const { mined, roundIndex } of told.slice(1)) {
      const { rows: simulators } = await database.query(
        `select m.name, s.simulator, m.return_mean, m.known_by, m.is_impossible from mined_simulators m
           join simulators s on s.hash = m.simulator_hash where m.run_id = $1 and m.round = $2 order by m.position`,
        [RUN, roundIndex],
      );
      expect(simulators).toEqual(
        mined!.simulators.map((each) => ({
          name: each.name,
          simulator: each.simulator,
          return_mean: each.returnMean,
          known_by: each.knownBy,
          is_impossible: each.isImpossible,
        })),
      );
      const { rows: failures } = await database.query(
        `select name, episode, key_high, key_low, score, key_moment, features, failure_group, actions, rewards, critic_values
           from failures where run_id = $1 and round = $2 order by position`,
        [RUN, roundIndex],
      );
      expect(failures.length).toBeGreaterThan(0);
      expect(failures).toEqual(
        mined!.failures.map((each) => ({
          name: each.name,
          episode: each.episode,
          key_high: each.key.high,
          key_low: each.key.low,
          score: each.score,
          key_moment: each.keyMoment,
          features: each.features,
          failure_group: each.group,
          actions: each.actions,
          rewards: each.rewards,
          critic_values: each.values,
        })),
      );
    }
    const mining = told.reduce((sum, { mined }) => sum + (mined?.envSteps ?? 0), 0);
    expect((await sumCosts(database, 'mined')).get(RUN)).toMatchObject({ mining, scoring: 0 });
  });

  it('is told of mined episodes as the newest, now and when they come from the rows', async () => {
    const [, first, second] = await runMiner('fresh');
    const mined = first!.mined!.samples;
    expect(first!.samples.slice(-mined.length)).toEqual(mined);
    expect(first!.samples.length).toBeGreaterThan(mined.length);
    expect(second!.samples.slice(0, first!.samples.length)).toEqual(first!.samples);
    expect(second!.samples.slice(-mined.length)).toEqual(second!.mined!.samples);
  });

  it('is held against earlier minings of the same episodes', async () => {
    const told = await runMiner('fixed');
    const returns = await listMinedReturns(database, RUN, { before: 2 });
    const { simulators, samples } = told[1]!.mined!;
    const own = (position: number) => samples.slice(position * 6, (position + 1) * 6).map((sample) => sample.return);
    expect(returns).toEqual(Object.fromEntries(simulators.map(({ name }, position) => [name, [own(position)]])));
    const [before, after] = [told[1]!.mined!, told[2]!.mined!];
    for (const [position, { knownMean, randomMean }] of after.simulators.entries()) {
      const earlier = before.simulators[position]!;
      expect(randomMean).toBe(earlier.randomMean);
      expect(knownMean).toBe(Math.max(earlier.knownMean, earlier.returnMean));
    }
  });

  it('leaves the same rows when everything is done again', async () => {
    await runMiner('fresh');
    const digest = await deterministicDigest(database, 'mined');
    ({ database } = await postgres.createDatabase());
    await runMiner('fresh');
    expect(await deterministicDigest(database, 'mined')).toBe(digest);
  });
});

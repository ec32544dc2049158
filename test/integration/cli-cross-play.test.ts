import { beforeEach, describe, expect, it } from 'vitest';
import { crossPlay } from '../../cli/cross-play/cross-play.ts';
import type { CrossPlayRequest } from '../../cli/cross-play/cross-play-plan.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { onnxModelFromGraph } from '../../infra/onnx/model.ts';
import { findExperiment, runId } from '../../infra/postgres/experiment-rows.ts';
import { graphFromOutputs } from '../../learning/graph/graph.ts';
import { add, constant, input, matmul } from '../../learning/graph/operators.ts';
import { mean } from '../../learning/statistics/moments.ts';
import { keyFrom, PURPOSE } from '../../simulators/random.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const ACTION_COUNT = 5;
const EPISODES = 3;
const { variants, seeds } = resolved(specDocument());
const variant = variants['frozen']!;
const world = openWorld(variant, DEFAULT_REGISTRIES);

const stored = useStoredCommandLine();

const artifacts = () => createFolderStore(stored.artifacts);

/** The action that the policy of a run takes always: another for every run. */
const actionOf = (name: string, seed: number): number => 1 + Object.keys(variants).indexOf(name) * 2 + seed;

function constantPolicy(action: number): Uint8Array {
  const { observationSize } = world.groups[0]!;
  const weights = constant(new Float32Array(observationSize * ACTION_COUNT), [observationSize, ACTION_COUNT]);
  const preference = constant(Float32Array.from({ length: ACTION_COUNT }, (_, each) => Number(each === action)));
  const logits = add(matmul(input('observations', [1, observationSize]), weights), preference);
  return onnxModelFromGraph(graphFromOutputs({ logits }), { dynamicRows: true, metadata: {} });
}

/** Finishes runs of the example experiment, each with a policy of its own. */
async function finish(runs: readonly (readonly [string, number])[], id = 'example-1'): Promise<void> {
  for (const [name, seed] of runs) {
    await finishRun(stored.database, runId(id, name, seed));
    const { hash } = await artifacts().write(constantPolicy(actionOf(name, seed)));
    await stored.database.query(`update artifacts set hash = $2 where run_id = $1 and kind = 'policy:0'`, [
      runId(id, name, seed),
      hash,
    ]);
  }
}

const ALL_RUNS = Object.keys(variants).flatMap((name) => seeds.map((seed) => [name, seed] as const));
const REQUEST: CrossPlayRequest = { episodes: EPISODES, seedCount: null, simulator: null };

async function play(request: Partial<CrossPlayRequest> = {}, id = 'example-1') {
  let count = 0;
  const onProgress = (): void => void (count += 1);
  const experiment = await findExperiment(stored.database, id);
  const outcome = await crossPlay(
    experiment,
    { ...REQUEST, ...request },
    { database: stored.database, artifacts: artifacts(), onProgress },
  );
  return { ...outcome, playedCount: count };
}

const nameOf = (record: { rowVariant: string; rowSeed: number; columnVariant: string; columnSeed: number }): string =>
  `${record.rowVariant}/${record.rowSeed} ${record.columnVariant}/${record.columnSeed}`;

/** Team return of two seats that each do one thing, by a plain loop over episodes and steps. */
function slowReturn(simulatorName: string, actions: readonly [number, number]): number {
  const simulator = variant.simulators[simulatorName]!;
  const returns = Array.from({ length: EPISODES }, (_, episode) => {
    const batch = world.createBatch(1);
    const key = keyFrom(variant.evaluation.seed, PURPOSE.evaluation, episode);
    batch.reset(0, world.compile({ ...simulator, partners: {} }), key);
    let sum = 0;
    for (let step = 0; step < world.episodeStepsMax; step += 1) {
      void batch.step(Int32Array.from(actions));
      sum += batch.rewards[0]! + batch.rewards[1]!;
    }
    return sum;
  });
  return mean(returns);
}

describe('the cross-play of an experiment', () => {
  beforeEach(() => seedExperiment(stored.database).then(() => undefined));

  it('has the policy of the row in the seats of learners and that of the column beside it, for every pair', async () => {
    await finish(ALL_RUNS);
    const { records, reasons, simulators } = await play();
    expect({ reasons, simulators }).toEqual({ reasons: [], simulators: ['zero'] });
    // Under each of two seeds: two variants with two, and each with its other seed.
    expect(new Set(records.map(nameOf)).size).toBe(2 * (2 * 2 + 2));
    expect(records).toHaveLength(2 * (2 * 2 + 2));
    for (const record of records) {
      const actions = [
        actionOf(record.rowVariant, record.rowSeed),
        actionOf(record.columnVariant, record.columnSeed),
      ] as const;
      expect(record.returnMean).toBeCloseTo(slowReturn('zero', actions), 9);
      expect(record.episodes).toBe(EPISODES);
    }
  });

  it('plays nothing twice, whichever experiment asks, and keeps rows of each', async () => {
    await finish(ALL_RUNS);
    const first = await play();
    expect(first.playedCount).toBe(first.records.length);
    expect(await play()).toEqual({ ...first, playedCount: 0 });
    await seedExperiment(stored.database, { id: 'again', overrides: ['name=again'] });
    expect(await play({}, 'again')).toEqual({ ...first, playedCount: 0 });
    expect((await play({ episodes: EPISODES + 1 })).playedCount).toBe(first.records.length);
    const { rows } = await stored.database.query(
      'select experiment_id, count(*) from cross_play group by 1 order by 1',
    );
    expect(rows).toEqual([
      { experiment_id: 'again', count: first.records.length },
      { experiment_id: 'example-1', count: 2 * first.records.length },
    ]);
  });

  it('goes by the seeds that both have finished, among those asked for', async () => {
    await finish([ALL_RUNS[0]!, ALL_RUNS[1]!, ALL_RUNS[2]!]);
    expect((await play()).records.map(nameOf).toSorted()).toEqual(
      [
        ...['frozen/0 frozen/0', 'frozen/0 pool/0', 'pool/0 frozen/0', 'pool/0 pool/0'],
        ...['frozen/1 frozen/1', 'frozen/0 frozen/1', 'frozen/1 frozen/0'],
      ].toSorted(),
    );
    expect((await play({ seedCount: 1 })).records.map(nameOf)).toHaveLength(4);
  });

  it('takes place in a simulator of the spec or of the catalogue, if one is named', async () => {
    await finish(ALL_RUNS);
    const [record] = (await play({ simulator: 'base', seedCount: 1 })).records;
    expect(record!.simulatorHash).not.toBe((await play({ seedCount: 1 })).records[0]!.simulatorHash);
    await expect(play({ simulator: 'zer' })).rejects.toMatchObject({
      code: 'REQUEST_BAD_ARGUMENT',
      message: expect.stringContaining('zero') as string,
    });
  });

  it('is printed as a matrix, with every pair in JSON and CSV', async () => {
    const look = (...args: string[]) => stored.thaw('cross-play', '@latest', '--episodes', String(EPISODES), ...args);
    expect((await look()).stdout).toContain('no pair can play yet');
    await finish(ALL_RUNS);
    const { exitCode, stdout, stderr } = await look('-o', 'json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const document = JSON.parse(stdout) as {
      pairs: Record<string, unknown>[];
      matrix: { variant: string; partners: Record<string, { n: number; mean: number }> }[];
    };
    expect(document.pairs).toHaveLength(12);
    const frozenWithPool = document.pairs.filter(
      (pair) => pair['variant'] === 'frozen' && pair['partner_variant'] === 'pool',
    );
    expect(document.matrix[0]!.partners['pool']).toMatchObject({
      n: seeds.length,
      mean: mean(frozenWithPool.map((pair) => pair['return_mean'] as number)),
    });
    expect((await look('-o', 'csv')).stdout.trim().split('\r\n')).toHaveLength(1 + 12);
    const table = (await look()).stdout;
    for (const words of ['learners \\ partners', 'own, other seed', 'frozen', 'pool', 'on zero']) {
      expect(table).toContain(words);
    }
  });
});

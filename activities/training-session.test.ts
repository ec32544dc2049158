import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as ort from 'onnxruntime-node';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolderStore } from '../infra/artifacts/folder-store.ts';
import { createOnnxExecutor } from '../infra/onnx/executor.ts';
import { loadPolicy } from '../infra/onnx/policy-model.ts';
import { onnxModelFromGraph } from '../infra/onnx/model.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../learning/strategies/contract.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import { openWorld } from '../specification/open-world.ts';
import { roundSchedule } from '../specification/plan.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { resolved as resolve, specDocument } from '../test/support/spec-document.ts';
import type {
  EvaluateRequest,
  EvaluateResponse,
  ExportResponse,
  SessionState,
  TrainRequest,
  TrainedRound,
} from './session-messages.ts';
import { createSessionHandlers } from './training-session.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-session-'));
afterAll(() => rmSync(folder, { recursive: true }));

const artifacts = createFolderStore(folder);
const { resolved, variantHash } = (() => {
  const experiment = resolve({
    ...specDocument(),
    algorithm: { name: 'ippo', hidden_sizes: [8], parallel_environments: 4 },
    budget: { env_steps: 8 * 4 * 25, rounds: 4 },
  });
  return { resolved: experiment.variants['pool']!, variantHash: experiment.variant_hashes['pool']! };
})();
const pool = resolved.panels.train.map((name) => ({
  name,
  simulator: resolved.simulators[name]!,
  weight: 0.5,
  randomization: {},
  learns: true,
}));
const initial: SessionState = { variantHash, resolved, seed: 0, members: ONE_LEARNER, checkpointHash: null };

/** A training process as far as it can be seen from its parent. */
function openSession() {
  const handlers = createSessionHandlers({
    clock: () => 0,
    executorOn: async () => createOnnxExecutor(),
    artifacts,
    registries: DEFAULT_REGISTRIES,
    loadModel: loadPolicy,
    workFolders: '/nowhere',
    exportModel: (graph, metadata) => onnxModelFromGraph(graph, { dynamicRows: true, metadata }),
  });
  const progress: number[] = [];
  const note = async (value: number) => void progress.push(value);
  return {
    progress,
    train: (state: SessionState, roundIndex: number, onProgress: (value: number) => Promise<void> = note) => {
      const request: TrainRequest = {
        ...state,
        roundIndex,
        pool,
        episodeRule: PLAIN_EPISODES,
        startsMembers: roundIndex === 0,
        scoresEpisodes: false,
        keepsSamples: false,
        samplerCount: 1,
      };
      return handlers['train']!(request, onProgress) as Promise<TrainedRound>;
    },
    evaluate: (state: SessionState, player: EvaluateRequest['player'] = 'policy') => {
      const simulators = pool.map(({ simulator }) => ({ simulator, randomization: {} }));
      const play = { player, member: leaderOf(state.members), simulators, episodes: 3, mode: 'deterministic' } as const;
      const request: EvaluateRequest = { ...state, ...play };
      return handlers['evaluate']!(request, note) as Promise<EvaluateResponse>;
    },
    export: (state: SessionState) => handlers['export']!(state, note) as Promise<ExportResponse>,
  };
}

type Session = ReturnType<typeof openSession>;

/** Trains the first rounds one after the other, in the session that is given for each. */
async function trainRounds(sessionOf: (round: number) => Session, rounds: number): Promise<TrainedRound[]> {
  const responses: TrainedRound[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const checkpointHash = responses.at(-1)?.checkpoint.hash ?? null;
    responses.push(await sessionOf(round).train({ ...initial, checkpointHash }, round));
  }
  return responses;
}

const warm = openSession();
const uninterrupted = await trainRounds(() => warm, 3);

describe('training', () => {
  it('[P102] in a process that is replaced between the rounds gives the same checkpoints and numbers', async () => {
    expect(await trainRounds(() => openSession(), 3)).toEqual(uninterrupted);
    expect(new Set(uninterrupted.map(({ checkpoint }) => checkpoint.hash)).size).toBe(3);
  });

  it('[P65] of a round again, as after a lost answer, gives the same checkpoint', async () => {
    const session = openSession();
    const { checkpoint } = uninterrupted[0]!;
    await session.train({ ...initial, checkpointHash: checkpoint.hash }, 1);
    expect(await session.train({ ...initial, checkpointHash: checkpoint.hash }, 1)).toEqual(uninterrupted[1]);
    expect(await session.train(initial, 0)).toEqual(uninterrupted[0]);
  });

  it('is not changed by evaluations and exports in between, of whatever checkpoint', async () => {
    const session = openSession();
    const between = [
      initial,
      ...uninterrupted.map(({ checkpoint }) => ({ ...initial, checkpointHash: checkpoint.hash })),
    ];
    const responses = await trainRounds(() => session, 1);
    for (const state of between) await session.evaluate(state);
    await session.evaluate({ ...initial, seed: 7 });
    await session.evaluate(initial, 'random');
    await session.export(between.at(-1)!);
    const state = { ...initial, checkpointHash: responses[0]!.checkpoint.hash };
    expect(await session.train(state, 1)).toEqual(uninterrupted[1]);
  });

  it('that broke off after an update leaves nothing of it behind', async () => {
    const session = openSession();
    const responses = await trainRounds(() => session, 1);
    const state = { ...initial, checkpointHash: responses[0]!.checkpoint.hash };
    const breakOff = () => Promise.reject(new Error('broken off'));
    await expect(session.train(state, 1, breakOff)).rejects.toThrow('broken off');
    expect(await session.train(state, 1)).toEqual(uninterrupted[1]);
  });

  it('[P80] of another seed is another run, in the same process as in one of its own', async () => {
    const other = { ...initial, seed: 1 };
    const own = await openSession().train(other, 0);
    const session = openSession();
    await session.train(initial, 0);
    expect(await session.train(other, 0)).toEqual(own);
    expect(own.checkpoint.hash).not.toBe(uninterrupted[0]!.checkpoint.hash);
  });

  it('plays the env steps that are planned for the round, and says how many are done', async () => {
    const { blockSteps, updatesOfRound } = roundSchedule(resolved, DEFAULT_REGISTRIES);
    const session = openSession();
    const { envSteps, divergence } = await session.train(initial, 0);
    expect(envSteps).toBe(blockSteps * updatesOfRound[0]!);
    expect(session.progress).toEqual(
      Array.from({ length: updatesOfRound[0]! }, (_, update) => blockSteps * (update + 1)),
    );
    expect(divergence).toBeNull();
  });
});

it('an evaluation is one of the checkpoint that is named', async () => {
  const states = [initial, { ...initial, checkpointHash: uninterrupted[2]!.checkpoint.hash }];
  const fresh = [await openSession().evaluate(states[0]!), await openSession().evaluate(states[1]!)];
  const session = openSession();
  expect([await session.evaluate(states[0]!), await session.evaluate(states[1]!)]).toEqual(fresh);
  expect(fresh[0]).not.toEqual(fresh[1]);
});

it('an exported policy says what it is and takes what its metadata says', async () => {
  const checkpointHash = uninterrupted[2]!.checkpoint.hash;
  const exported = await openSession().export({ ...initial, checkpointHash });
  const [group] = openWorld(resolved, DEFAULT_REGISTRIES).groups;
  expect(exported.map((entry) => entry.group)).toEqual([0]);
  const bytes = await artifacts.read(exported[0]!.artifact.hash);
  const session = await ort.InferenceSession.create(bytes);
  const rows = 3;
  const observations = new ort.Tensor('float32', new Float32Array(rows * group!.observationSize), [
    rows,
    group!.observationSize,
  ]);
  const { logits } = await session.run({ observations });
  expect(logits!.dims).toEqual([rows, 5]);
  await session.release();
  const text = Buffer.from(bytes).toString('latin1');
  for (const expected of [resolved.family, resolved.family_version, checkpointHash]) expect(text).toContain(expected);
});

it('a checkpoint that is missing is no reason to go on with other weights', async () => {
  const session = openSession();
  await session.train(initial, 0);
  const missing = { ...initial, checkpointHash: 'ab'.repeat(32) };
  await expect(session.train(missing, 1)).rejects.toMatchObject({ code: 'WORLD_DISK' });
  expect(await session.train(initial, 0)).toEqual(uninterrupted[0]);
});

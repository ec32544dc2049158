import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolderStore } from '../infra/artifacts/folder-store.ts';
import { createOnnxExecutor } from '../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../infra/onnx/model.ts';
import { loadPolicy } from '../infra/onnx/policy-model.ts';
import { segmentsFromBytes } from '../learning/member-checkpoint.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../learning/strategies/contract.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { remembering, SEGMENTS_MAX } from '../test/support/remembering-algorithm.ts';
import { resolved as resolve, specDocument } from '../test/support/spec-document.ts';
import { flawOfCheckpoint } from './checkpoint-flaw.ts';
import type { ExportResponse, SessionState, TrainedRound } from './session-messages.ts';
import { createSessionHandlers } from './training-session.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written: string[] = [];
const store = createFolderStore(folder);
const artifacts: typeof store = {
  ...store,
  write: async (content) => {
    const reference = await store.write(content);
    written.push(reference.hash);
    return reference;
  },
};

const ROUNDS = 4;
const experiment = resolve({
  ...specDocument(),
  algorithm: { name: 'ippo', hidden_sizes: [8], parallel_environments: 4 },
  budget: { env_steps: ROUNDS * 4 * 25, rounds: ROUNDS },
});
const resolved = experiment.variants['pool']!;
const { ippo } = DEFAULT_REGISTRIES.algorithms;
const registries = {
  ...DEFAULT_REGISTRIES,
  algorithms: { ...DEFAULT_REGISTRIES.algorithms, ippo: remembering(ippo!) },
};
const initial: SessionState = {
  variantHash: experiment.variant_hashes['pool']!,
  resolved,
  seed: 0,
  members: ONE_LEARNER,
  checkpointHash: null,
};
const pool = resolved.panels.train.map((name) => ({
  name,
  simulator: resolved.simulators[name]!,
  weight: 0.5,
  randomization: {},
  learns: true,
}));

function openSession() {
  const handlers = createSessionHandlers({
    clock: () => 0,
    executorOn: async () => createOnnxExecutor(),
    artifacts,
    registries,
    loadModel: loadPolicy,
    workFolders: '/nowhere',
    exportModel: (graph, metadata) => onnxModelFromGraph(graph, { dynamicRows: true, metadata }),
  });
  const silent = async () => undefined;
  return {
    train: (checkpointHash: string | null, roundIndex: number) => {
      const rule = { episodeRule: PLAIN_EPISODES, startsMembers: roundIndex === 0, samplerCount: 1 };
      const request = {
        ...initial,
        checkpointHash,
        roundIndex,
        pool,
        ...rule,
        scoresEpisodes: false,
        keepsSamples: false,
      };
      return handlers['train']!(request, silent) as Promise<TrainedRound>;
    },
    export: (checkpointHash: string) =>
      handlers['export']!({ ...initial, checkpointHash }, silent) as Promise<ExportResponse>,
  };
}

type Session = ReturnType<typeof openSession>;

async function trainRounds(sessionOf: (round: number) => Session): Promise<TrainedRound[]> {
  const rounds: TrainedRound[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await sessionOf(round).train(rounds.at(-1)?.checkpoint.hash ?? null, round));
  }
  return rounds;
}

const warm = openSession();
const uninterrupted = await trainRounds(() => warm);
const hashesOf = ({ segments }: TrainedRound) => segments.map(({ hash }) => hash);

describe('a learner that keeps former blocks', () => {
  it('goes on as if it had not been stopped, hash for hash, wherever that was', async () => {
    expect(await trainRounds(() => openSession())).toEqual(uninterrupted);
    expect(new Set(uninterrupted.map(({ checkpoint }) => checkpoint.hash)).size).toBe(ROUNDS);
  });

  it('has its segments beside its checkpoints, which share them', () => {
    expect(uninterrupted.map(({ segments }) => segments.length)).toEqual([1, SEGMENTS_MAX, SEGMENTS_MAX, SEGMENTS_MAX]);
    const [, second, third] = uninterrupted.map(hashesOf);
    expect(third![0]).toBe(second![1]);
    expect(third![1]).not.toBe(second![1]);
  });

  it('lists them in its checkpoint, in the order in which they were sealed', async () => {
    const listed = segmentsFromBytes(await artifacts.read(uninterrupted[2]!.checkpoint.hash)).get('learner')!;
    expect(listed.map(({ hash }) => hash)).toEqual(hashesOf(uninterrupted[2]!));
    expect(listed.map(({ name }) => Number(name))).toEqual([2, 3]);
  });

  it('writes each of them once, however often it is saved', async () => {
    written.length = 0;
    const session = openSession();
    const again = await trainRounds(() => session);
    const names = new Set(again.flatMap(hashesOf));
    expect(written.filter((hash) => names.has(hash)).length).toBe(names.size);
  });

  it('learns the same after it was evaluated or exported in a process that did not load what it keeps', async () => {
    const session = openSession();
    await session.export(uninterrupted[1]!.checkpoint.hash);
    expect(await session.train(uninterrupted[1]!.checkpoint.hash, 2)).toEqual(uninterrupted[2]);
  });

  it('does not learn from a checkpoint that lacks a segment, and is exported from it all the same', async () => {
    const { checkpoint, segments } = uninterrupted[2]!;
    const { hash } = segments[0]!;
    const content = await artifacts.read(hash);
    await rm(path.join(folder, hash.slice(0, 2), hash));
    const flaw = `has a replay segment that is missing (${hash})`;
    expect(await flawOfCheckpoint(artifacts, checkpoint.hash, { learns: true })).toBe(flaw);
    expect(await flawOfCheckpoint(artifacts, checkpoint.hash, { learns: false })).toBeNull();
    await expect(openSession().train(checkpoint.hash, 3)).rejects.toMatchObject({ code: 'WORLD_DISK' });
    expect(await openSession().export(checkpoint.hash)).toHaveLength(1);
    await artifacts.write(content);
    expect(await flawOfCheckpoint(artifacts, checkpoint.hash, { learns: true })).toBeNull();
  });
});

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { TrainRequest, TrainedRound } from '../../activities/session-messages.ts';
import { isGroupAlive } from '../../infra/process-group.ts';
import { ONE_LEARNER, PLAIN_EPISODES, type Member } from '../../learning/strategies/contract.ts';
import { resolved as resolve, specDocument } from '../support/spec-document.ts';
import { startComputing, type Computing } from '../support/computing.ts';

// The training process as workers start it, with its threads.

const ENVIRONMENTS = 10;
const ROUNDS = 3;
const UPDATES = 3;

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-samplers-'));
afterAll(() => rmSync(folder, { recursive: true }));

let computing: Computing;
beforeEach(() => void (computing = startComputing(folder)));
afterEach(() => computing.stop());

const experiment = resolve({
  ...specDocument(),
  algorithm: { name: 'ippo', hidden_sizes: [16], parallel_environments: ENVIRONMENTS },
  budget: { env_steps: ENVIRONMENTS * 25 * UPDATES * ROUNDS, rounds: ROUNDS },
});
const resolved = experiment.variants['pool']!;

/** Two learners that take turns, beside a partner that is rewarded for undecided groups of episodes. */
function trainRequestOf(roundIndex: number, checkpointHash: string | null, samplerCount: number): TrainRequest {
  const member = (name: string): Member => ({ ...ONE_LEARNER[0]!, name, copies: name, share: 0.5 });
  const partner: Member = { ...member('partner'), seats: 'partners', share: 1, reward: 'curriculum' };
  const pool = resolved.panels.train.map((name) => ({
    name,
    simulator: { ...resolved.simulators[name]!, partners: { 1: { kind: 'trained' as const } } },
    weight: 1 / resolved.panels.train.length,
    randomization: { 'rules.damping': [0.1, 0.5] as const },
    learns: true,
  }));
  return {
    variantHash: experiment.variant_hashes['pool']!,
    resolved,
    seed: 3,
    members: [member('m0'), member('m1'), partner],
    checkpointHash,
    roundIndex,
    pool,
    episodeRule: { ...PLAIN_EPISODES, groupSize: 8 },
    startsMembers: roundIndex === 0,
    scoresEpisodes: true,
    keepsSamples: true,
    samplerCount,
  };
}

function ask(request: TrainRequest, signal: AbortSignal, onProgress: (value: number) => void) {
  const limits = { memoryMib: 1024, stallMs: 60_000, lessMemory: '' };
  return computing.children.request({ runId: 'run', kind: 'train', payload: request, ...limits, signal, onProgress });
}

/** A round that must succeed. */
async function trainOne(request: TrainRequest) {
  const outcome = await ask(request, new AbortController().signal, () => undefined);
  if (outcome.kind === 'failed') throw new Error(outcome.message);
  return { response: outcome.result as TrainedRound, processId: outcome.processId };
}

/** What a round came to, without how long its samplers waited for each other. */
function resultOf({ idleShares: _waited, ...result }: TrainedRound) {
  return result;
}

/** @param samplerCounts of each round */
async function train(samplerCounts: readonly number[]): Promise<ReturnType<typeof resultOf>[]> {
  const responses: ReturnType<typeof resultOf>[] = [];
  for (const [round, count] of samplerCounts.entries()) {
    const checkpointHash = responses.at(-1)?.checkpoint.hash ?? null;
    responses.push(resultOf((await trainOne(trainRequestOf(round, checkpointHash, count))).response));
  }
  await computing.children.release('run');
  return responses;
}

it('a training process gives the same checkpoints and numbers with 1, 2 and changing numbers of samplers', async () => {
  const alone = await train([1, 1, 1]);
  expect(await train([2, 2, 2])).toEqual(alone);
  expect(await train([3, 1, 2])).toEqual(alone);
  expect(new Set(alone.map(({ checkpoint }) => checkpoint.hash)).size).toBe(ROUNDS);
  expect(alone.every(({ samples }) => samples!.returns.length > 0)).toBe(true);
});

it('a training process that served another run before, and its threads, give the bytes of a fresh one', async () => {
  const alone = await train([1, 1, 1]);
  await computing.stop();
  computing = startComputing(folder, { unownedMax: 1 });
  const { processId } = await trainOne({ ...trainRequestOf(0, null, 3), seed: 4 });
  await computing.children.handOn('run');
  const first = await trainOne(trainRequestOf(0, null, 3));
  expect(first.processId).toBe(processId);
  expect(resultOf(first.response)).toEqual(alone[0]);
  const second = await trainOne(trainRequestOf(1, first.response.checkpoint.hash, 2));
  expect(resultOf(second.response)).toEqual(alone[1]);
});

it('each of several samplers tells for which share of the round it waited, one by itself nothing', async () => {
  expect((await trainOne(trainRequestOf(0, null, 1))).response.idleShares).toEqual([]);
  const { idleShares } = (await trainOne(trainRequestOf(0, null, 3))).response;
  expect(idleShares).toHaveLength(3);
  for (const share of idleShares) {
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThan(1);
  }
  // While the networks are updated the others have nothing to do.
  expect(Math.max(...idleShares.slice(1))).toBeGreaterThan(0);
});

it('a training process has a thread for each sampler but one, and gives back those that are asked for no more', async () => {
  const counts: number[] = [];
  for (const samplerCount of [1, 3, 2]) {
    const { processId } = await trainOne(trainRequestOf(0, null, samplerCount));
    counts.push(readdirSync(`/proc/${processId}/task`).length);
  }
  expect(counts.map((count) => count - counts[0]!)).toEqual([0, 2, 1]);
});

it('a training process with samplers that is cancelled while they play leaves nothing behind', async () => {
  const { processId } = await trainOne(trainRequestOf(0, null, 2));
  const controller = new AbortController();
  const outcome = ask(trainRequestOf(0, null, 2), controller.signal, () => controller.abort(new Error('superseded')));
  await expect(outcome).rejects.toThrow('superseded');
  expect(isGroupAlive(processId)).toBe(false);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serialize } from 'node:v8';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolderStore } from '../infra/artifacts/folder-store.ts';
import { createOnnxExecutor } from '../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../infra/onnx/model.ts';
import { loadPolicy } from '../infra/onnx/policy-model.ts';
import type { MiningPlan } from '../learning/failures/contract.ts';
import { presentLearners } from '../learning/rollout/driven-seats.ts';
import { ONE_LEARNER } from '../learning/strategies/contract.ts';
import { openWorld } from '../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { resolved as resolve, specDocument } from '../test/support/spec-document.ts';
import { mineRequest } from './mine-request.ts';
import type { MineRequest, MineResponse } from './session-messages.ts';
import { createSessionHandlers } from './training-session.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-mining-'));
afterAll(() => rmSync(folder, { recursive: true }));

const partner = (seat: number, name: string) => ({ partners: { [seat]: { kind: 'scripted', name } } });

const DOCUMENTS = {
  simple_spread: {
    simulators: {
      train: partner(1, 'leftmost_landmark'),
      top: partner(1, 'noop'),
      late: { ...partner(1, 'random'), perturbations: { action_delay: 1, sticky_actions: 0.2 } },
    },
    ranges: { 'rules.damping': [0.1, 0.5] },
    options: { agents: 2 },
    learners: [0],
  },
  simple_tag: {
    simulators: { train: partner(3, 'orbit_left'), top: partner(3, 'flee_nearest'), late: partner(3, 'random') },
    ranges: { 'rules.prey_max_speed': [0.8, 1.3] },
    options: {},
    learners: [0, 1, 2],
  },
  foraging: {
    simulators: {
      train: partner(1, 'nearest_food'),
      top: partner(1, 'farthest_food'),
      late: { ...partner(1, 'random'), perturbations: { action_delay: 1, sticky_actions: 0.2 } },
    },
    ranges: { 'rules.move_success': [0.5, 1] },
    options: {},
    learners: [0],
  },
};

const plan: MiningPlan = {
  episodes: 24,
  draws: 'fresh',
  select: 'lowest',
  share: 0.25,
  perSimulatorMax: 4,
  groupsMax: 2,
};

function situationOf(family: keyof typeof DOCUMENTS) {
  const { simulators, ranges, options, learners } = DOCUMENTS[family];
  const experiment = resolve({
    ...specDocument(),
    family,
    family_options: options,
    learners,
    simulators,
    panels: { train: ['train'], validation: ['top', 'late'], test: [] },
    randomization: ranges,
    algorithm: { name: 'ippo', hidden_sizes: [8], parallel_environments: 4 },
    variants: { frozen: { strategy: { kind: 'frozen', simulator: 'train' } } },
  });
  const resolved = experiment.variants['frozen']!;
  const world = openWorld(resolved, DEFAULT_REGISTRIES);
  const state = { variantHash: 'v', resolved, seed: 0, members: ONE_LEARNER, checkpointHash: null };
  return { world, learners, request: mineRequest(state, { round: 2, mining: plan, world, earlier: {} }) };
}

/** Has a process of its own mine. */
async function mineIn(request: MineRequest): Promise<MineResponse> {
  const handlers = createSessionHandlers({
    clock: () => 0,
    executorOn: async () => createOnnxExecutor(),
    artifacts: createFolderStore(folder),
    registries: DEFAULT_REGISTRIES,
    loadModel: loadPolicy,
    workFolders: '/nowhere',
    exportModel: (graph, metadata) => onnxModelFromGraph(graph, { dynamicRows: true, metadata }),
  });
  return (await handlers['mine']!(request, async () => undefined)) as MineResponse;
}

describe.each(Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[])('what a training process mines of %s', (family) => {
  const { world, learners, request } = situationOf(family);

  it('is byte for byte the same in another process, and another judgement by other networks', async () => {
    const found = await mineIn(request);
    expect(serialize(await mineIn(request)).equals(serialize(found))).toBe(true);
    const elsewhere = await mineIn({ ...request, seed: 1 });
    expect(elsewhere.samples.shortfalls).not.toEqual(found.samples.shortfalls);
    expect(elsewhere.simulators.map(({ randomMean }) => randomMean)).toEqual(
      found.simulators.map(({ randomMean }) => randomMean),
    );
  });

  it('can be played again: the key and the actions of a failure give its rewards', async () => {
    const { failures } = await mineIn({ ...request, plan: { ...plan, share: 1 } });
    expect(failures.length).toBeGreaterThan(0);
    for (const { simulator, key, actions, rewards, keyMoment, features } of failures) {
      const present = presentLearners(learners, simulator);
      const batch = world.createBatch(1);
      batch.reset(0, world.compile(simulator), key);
      const seen: number[] = [];
      for (const [step, joint] of actions.entries()) {
        if (step === keyMoment) {
          const near = new Float64Array(world.seatCount * world.features.length);
          batch.observeFeatures(near);
          expect([...near]).toEqual(features);
        }
        void batch.step(Int32Array.from(joint));
        seen.push(present.reduce((sum, seat) => sum + batch.rewards[seat]!, 0) / present.length);
      }
      expect(seen).toEqual(rewards);
      expect(batch.ended[0]! + batch.truncated[0]!).toBe(1);
    }
  });
});

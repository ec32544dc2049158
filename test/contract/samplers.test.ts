import { describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../../infra/onnx/model.ts';
import { loadPolicy } from '../../infra/onnx/policy-model.ts';
import { NO_POLICIES } from '../../learning/rollout/partner-policies.ts';
import type { TrainingSimulator } from '../../learning/rollout/played-round.ts';
import { ONE_LEARNER, type Member } from '../../learning/strategies/contract.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { trainWithSamplers, type WrittenAlgorithm, type WrittenRound } from '../support/sampled-training.ts';
import { simulatorOf, trainingRound, weighted } from '../support/small-learning.ts';
import { RecordingLearner } from '../support/recording-learner.ts';

/** Neither 2 nor 3 samplers get whole groups of environments, and 3 do not get equal parts. */
const ENVIRONMENTS = 20;
const GROUP_SIZE = 8;
/** Blocks end in the middle of episodes. */
const EPISODE_STEPS = 6;
const STEPS = 10;

interface Setting {
  readonly world: World;
  readonly learners: readonly number[];
  /** A seat beside the learners. */
  readonly beside: number;
  readonly scripted: string;
}

function openWorldOf(family: string, options: object): World {
  const found = FAMILIES[family]!;
  return found.open(found.optionsSchema.parse({ ...options, episode_steps: EPISODE_STEPS }));
}

const settings: Readonly<Record<string, Setting>> = {
  simple_spread: {
    world: openWorldOf('simple_spread', { agents: 2 }),
    learners: [0],
    beside: 1,
    scripted: 'nearest_landmark',
  },
  simple_tag: { world: openWorldOf('simple_tag', {}), learners: [0, 1, 2], beside: 3, scripted: 'flee_nearest' },
  simple_speaker_listener: {
    world: openWorldOf('simple_speaker_listener', {}),
    learners: [0],
    beside: 1,
    scripted: 'greedy',
  },
};

function roundOf({ world, learners }: Setting, changes: Partial<WrittenRound> = {}): WrittenRound {
  return {
    ...trainingRound(world, new RecordingLearner(world)),
    learners,
    members: ONE_LEARNER,
    environmentCount: ENVIRONMENTS,
    stepCount: STEPS,
    updateCount: 3,
    ...changes,
  };
}

const heldBy = ({ world, beside }: Setting, partner: object): SimulatorData =>
  simulatorOf(world, { partners: { [beside]: partner } });

/** Only strategies put such a partner into a simulator, so there is no schema for it. */
const trainedBeside = ({ world, beside }: Setting): SimulatorData => ({
  ...simulatorOf(world),
  partners: { [beside]: { kind: 'trained' } },
});

const drawn = (simulator: SimulatorData, weight: number): TrainingSimulator => ({
  ...weighted(simulator, weight),
  randomization: { 'rules.damping': [0.1, 0.5] },
});

function learnersAndPartner(reward: Member['reward']): readonly Member[] {
  const [learner] = ONE_LEARNER;
  return [learner!, { ...learner!, name: 'partner', seats: 'partners', reward }];
}

/** A policy as a run exports it, with the initial weights of another seed. */
async function exportedPolicy({ world, beside }: Setting) {
  const ippo = DEFAULT_REGISTRIES.algorithms['ippo']!;
  const learner = await ippo.createLearner({
    world,
    learners: [beside],
    parameters: ippo.parametersSchema(world).parse({ name: 'ippo', hidden_sizes: [8] }),
    executor: createOnnxExecutor(),
    updateCount: 1,
    seed: 5,
    memberIndex: 0,
  });
  const group = world.groups.findIndex(({ seats }) => seats.includes(beside));
  return loadPolicy(onnxModelFromGraph(learner.policyGraph(group), { dynamicRows: true, metadata: {} }), 'exported');
}

const stories: Readonly<Record<string, (setting: Setting) => Promise<WrittenRound>>> = {
  'a pool with draws, scored and sampled': async (setting) => {
    const scripted = heldBy(setting, { kind: 'scripted', name: setting.scripted });
    const onLearner = {
      partners: { [setting.learners[0]!]: { kind: 'scripted', name: setting.world.scriptedReference } },
    };
    const pool = [
      drawn(scripted, 0.5),
      { ...drawn(heldBy(setting, { kind: 'self' }), 0.25), learns: false },
      drawn(simulatorOf(setting.world, onLearner), 0.25),
    ];
    return roundOf(setting, { pool, scoresEpisodes: true, keepsSamples: true });
  },
  'a partner that is the policy itself': async (setting) =>
    roundOf(setting, { pool: [weighted(heldBy(setting, { kind: 'self' }))] }),
  'a partner trained for undecided groups': async (setting) =>
    roundOf(setting, {
      pool: [drawn(trainedBeside(setting), 1)],
      members: learnersAndPartner('curriculum'),
      episodeRule: { groupSize: GROUP_SIZE },
      scoresEpisodes: true,
    }),
  'a partner trained to hinder': async (setting) =>
    roundOf(setting, {
      pool: [weighted(trainedBeside(setting))],
      members: learnersAndPartner('adversarial'),
    }),
  'a partner with the policy of another run': async (setting) => {
    const policy = await exportedPolicy(setting);
    const partner = { kind: 'policy', artifact: 'ab'.repeat(32), epsilon: 0.1 };
    const pool = [weighted(heldBy(setting, partner), 0.5), weighted(heldBy(setting, { kind: 'self' }), 0.5)];
    return roundOf(setting, { pool, loadPolicy: async () => policy });
  },
  'a population': async (setting) => {
    const members = ['m0', 'm1', 'm2'].map((name) => ({ ...ONE_LEARNER[0]!, name, share: 1 / 3 }));
    return roundOf(setting, { pool: [weighted(heldBy(setting, { kind: 'self' }))], members, updateCount: 5 });
  },
};

const FEW_UPDATES = { updates_per_block: 3, minibatch_size: 32, replay: { capacity: 300, prioritized: {} } };

/** What acting depends on beside the weights: memories, what all see, moments, and what is tried out. */
const algorithms: Readonly<Record<string, WrittenAlgorithm>> = {
  'memories, a central critic and moments': {
    name: 'mappo',
    ...{ recurrent: { units: 8, sequence_steps: 4 }, observation_normalization: true, reward_normalization: true },
  },
  'values and moments': { name: 'qmix', ...FEW_UPDATES, observation_normalization: true },
  'actors that try something out': { name: 'maddpg', ...FEW_UPDATES, exploration: { initial: 0.3 } },
};

describe.each(Object.keys(settings))('a round of %s', (family) => {
  it.each(Object.keys(stories))('with %s is the same, byte for byte, for 1, 2 and 3 samplers', async (story) => {
    const round = await stories[story]!(settings[family]!);
    const alone = await trainWithSamplers(round, 1);
    expect(await trainWithSamplers(round, 2)).toEqual(alone);
    expect(await trainWithSamplers(round, 3)).toEqual(alone);
    // What there is to compare: episodes that ended, visits of the last block, weights that moved, samples where asked for.
    const { result, checkpoints } = alone;
    expect(result.episodes.every(({ episodes }) => episodes > 0)).toBe(true);
    expect(result.visitation.length).toBe(round.pool.length);
    expect(new Set(checkpoints.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(round.members.length);
    expect((result.samples?.returns.length ?? 0) > 0).toBe(round.keepsSamples);
    expect(result.scoringEnvSteps > 0).toBe(round.pool.some(({ learns }) => !learns));
  });

  it.each(Object.entries(algorithms))('is the same for 1 and 3 samplers with %s', async (_, algorithm) => {
    const setting = settings[family]!;
    const pool = [weighted(heldBy(setting, { kind: 'self' }), 0.5), weighted(simulatorOf(setting.world), 0.5)];
    const round = roundOf(setting, { pool });
    expect(await trainWithSamplers(round, 3, { algorithm })).toEqual(await trainWithSamplers(round, 1, { algorithm }));
  });

  it('differs where the weights of a block do not reach a sampler', async () => {
    const setting = settings[family]!;
    const round = roundOf(setting, { pool: [weighted(heldBy(setting, { kind: 'self' }))] });
    const alone = await trainWithSamplers(round, 1);
    expect(await trainWithSamplers(round, 2, { keepsWeights: true })).not.toEqual(alone);
  });
});

it('more samplers than environments are a defect, which validation keeps from happening', async () => {
  const round = roundOf(settings['simple_spread']!, { environmentCount: 2, loadPolicy: NO_POLICIES });
  await expect(trainWithSamplers(round, 3)).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
});

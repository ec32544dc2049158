import { describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../../infra/onnx/executor.ts';
import { openSpread, scripted, simulatorOf, trainingRound, weighted } from '../../../test/support/small-learning.ts';
import type { World } from '../../../simulators/contract.ts';
import { FAMILIES } from '../../../simulators/registry.ts';
import { trainRound } from '../../training.ts';
import type { Experienced, UpdateMetrics } from '../contract.ts';
import { ALGORITHMS } from '../registry.ts';

// Before its first step an update sees the policy that acted: every probability ratio is 1. One step a block, and blocks
// that begin and end in the middle of episodes, some of which a seat is not a learner's in.

const STEPS = 17;
const BLOCKS = 4;

const foraging = FAMILIES['foraging']!.open(FAMILIES['foraging']!.optionsSchema.parse({}));
const spread = openSpread({ agents: 3 });
const withoutSecond = { ...weighted(simulatorOf(spread, scripted(1, 'noop'))), name: 'without second' };
const worlds: Readonly<Record<string, { readonly world: World; readonly pool?: object }>> = {
  'discrete actions': { world: spread, pool: { pool: [weighted(simulatorOf(spread)), withoutSecond] } },
  'illegal actions': { world: foraging },
  'boxes of actions': { world: openSpread({ agents: 3, continuous_actions: true }) },
};

const SETTINGS = [
  { name: 'ippo' },
  { name: 'ippo', parameter_sharing: 'none', recurrent: { units: 8, sequence_steps: 6 } },
  { name: 'mappo', recurrent: { units: 8 } },
];

describe.each(Object.entries(worlds))('of %s', (_, { world, pool = {} }) => {
  it.each(SETTINGS)('the first step of a block begins at ratios of 1: %o', async ({ name, ...settings }) => {
    const whole = { epochs: 1, minibatch_size: 100_000, learning_rate: 0.03, learning_rate_schedule: 'constant' };
    const parameters = ALGORITHMS[name]!.parametersSchema(world).parse({
      ...{ name, parallel_environments: 8, rollout_steps: STEPS, hidden_sizes: [16], ...whole },
      ...settings,
    });
    const learners = Array.from({ length: world.seatCount }, (__, seat) => seat);
    const setup = { world, learners, parameters, executor: createOnnxExecutor(), updateCount: BLOCKS, seed: 1 };
    const learner = await ALGORITHMS[name]!.createLearner({ ...setup, memberIndex: 0 });
    const update = learner.update.bind(learner);
    const reports: UpdateMetrics[] = [];
    learner.update = async (block: Experienced) => {
      reports.push(await update(block));
      return reports.at(-1)!;
    };
    await trainRound(trainingRound(world, learner, { ...pool, learners, stepCount: STEPS, updateCount: BLOCKS }));
    expect(reports.length).toBe(BLOCKS);
    for (const { approximate_kl: divergence, clip_fraction: clipped } of reports) {
      expect(Math.abs(divergence!)).toBeLessThan(1e-6);
      expect(clipped).toBe(0);
    }
    // It moved from block to block.
    expect(new Set(reports.map(({ entropy }) => entropy)).size).toBe(BLOCKS);
    await learner.release();
  });
});

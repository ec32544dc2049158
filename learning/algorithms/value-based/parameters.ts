import { z } from 'zod';
import type { World } from '../../../simulators/contract.ts';
import { replaySettings, type ReplaySettings } from '../../replay/replay-settings.ts';
import type { AlgorithmParameters } from '../contract.ts';
import { collectionSettings } from '../settings/collection-settings.ts';
import { networkSettings, type NetworkSettings } from '../settings/network-settings.ts';
import {
  type LearningRateSettings,
  optimizerSettings,
  type OptimizerSettings,
} from '../settings/optimizer-settings.ts';
import { scheduleSettings, type ScheduleSettings } from '../settings/schedule-settings.ts';
import { transferSettings } from '../settings/transfer-settings.ts';

/** Settings of the algorithms that learn what actions are worth. How defaults were found: docs/studies/value-based-settings.md. */
export interface ValueParameters extends AlgorithmParameters, NetworkSettings, OptimizerSettings, LearningRateSettings {
  readonly reward_normalization: boolean;
  readonly gamma: number;
  readonly n_step: number;
  readonly double: boolean;
  readonly loss: 'huber' | 'squared';
  readonly exploration: ScheduleSettings;
  readonly replay: ReplaySettings;
  readonly learning_starts: number;
  readonly minibatch_size: number;
  readonly updates_per_block: number;
  readonly target_update_interval: number;
  readonly target_tau: number | null;
}

/** What the algorithms differ in. */
export interface ValueDefaults {
  readonly gamma: number;
  readonly learningRate: number;
  readonly minibatchSize: number;
  readonly updatesPerBlock: number;
}

/** Keys of all of them. @param world gives the default of `rollout_steps`: one episode */
export function valueSettings(world: World, defaults: ValueDefaults) {
  return {
    ...collectionSettings(world, { parallelEnvironments: 64, rewardNormalization: true }),
    ...networkSettings({ hiddenSizes: [64, 64], activation: 'relu' }),
    gamma: z.number().min(0).max(1).default(defaults.gamma).describe('Discount per step.'),
    n_step: z
      .int()
      .min(1)
      .max(1000)
      .default(1)
      .describe('Steps whose rewards a target adds up before it asks the network.'),
    double: z
      .boolean()
      .default(true)
      .describe('The newest network chooses the action that the target network values, which overestimates less.'),
    loss: z
      .enum(['huber', 'squared'])
      .default('squared')
      .describe('huber: squared up to an error of 1, linear beyond, so that rare rewards count for less.'),
    exploration: scheduleSettings(
      z.number().min(0).max(1),
      'Share of actions that are drawn alike from all legal ones',
      { initial: 1, final: 0.05, over: 0.5 },
    ),
    replay: replaySettings({ capacity: 100_000 }),
    learning_starts: z
      .int()
      .min(1)
      .max(10_000_000)
      .default(1)
      .describe('Transitions that are kept before learning starts.'),
    minibatch_size: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(defaults.minibatchSize)
      .describe('Transitions of one optimizer step, each of all learners.'),
    updates_per_block: z
      .int()
      .min(1)
      .max(100_000)
      .default(defaults.updatesPerBlock)
      .describe('Optimizer steps for every block of parallel_environments × rollout_steps transitions.'),
    target_update_interval: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(200)
      .describe(
        'Optimizer steps after which the target network is made equal to the newest; unless target_tau is given.',
      ),
    target_tau: z
      .number()
      .positive()
      .max(1)
      .nullable()
      .default(0.01)
      .describe('Share of the newest weights in those of the target network, at every optimizer step.'),
    ...optimizerSettings({ learningRate: defaults.learningRate, gradientClip: 10 }),
    ...transferSettings(world),
  };
}

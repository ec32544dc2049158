import { z } from 'zod';
import type { World } from '../../../simulators/contract.ts';
import { replaySettings, type ReplaySettings } from '../../replay/replay-settings.ts';
import type { AlgorithmParameters } from '../contract.ts';
import { collectionSettings } from '../settings/collection-settings.ts';
import { networkSettings, type NetworkSettings } from '../settings/network-settings.ts';
import {
  optimizerSettings,
  type LearningRateSettings,
  type OptimizerSettings,
} from '../settings/optimizer-settings.ts';
import { scheduleSettings, type ScheduleSettings } from '../settings/schedule-settings.ts';
import { transferSettings } from '../settings/transfer-settings.ts';

/** Settings of multi-agent DDPG. How the defaults were found: docs/studies/maddpg-settings.md. */
export interface MaddpgParameters
  extends AlgorithmParameters, NetworkSettings, OptimizerSettings, LearningRateSettings {
  readonly name: 'maddpg';
  readonly reward_normalization: boolean;
  readonly gamma: number;
  readonly n_step: number;
  readonly replay: ReplaySettings;
  readonly minibatch_size: number;
  readonly updates_per_block: number;
  readonly target_tau: number;
  readonly critic_learning_rate: number;
  readonly gumbel_temperature: number;
  readonly logit_regularization: number;
  readonly exploration: ScheduleSettings;
  readonly action_deviation: ScheduleSettings;
}

/** @param world gives the default of `rollout_steps`: one episode */
export function maddpgParametersSchema(world: World): z.ZodType<MaddpgParameters> {
  return z.strictObject({
    name: z.literal('maddpg'),
    ...collectionSettings(world, { parallelEnvironments: 32 }),
    ...networkSettings({ hiddenSizes: [64, 64], activation: 'relu' }),
    gamma: z.number().min(0).max(1).default(0.9).describe('Discount per step.'),
    n_step: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe('Steps whose rewards a target adds up before it asks the critic.'),
    replay: replaySettings({ capacity: 100_000 }),
    minibatch_size: z.int().min(1).max(1_000_000).default(512).describe('Joint transitions of one optimizer step.'),
    updates_per_block: z
      .int()
      .min(1)
      .max(100_000)
      .default(15)
      .describe('Optimizer steps of critics and of actors for every block of experience.'),
    target_tau: z
      .number()
      .positive()
      .max(1)
      .default(0.05)
      .describe('Share of the newest weights in those of the target networks, at every optimizer step.'),
    ...optimizerSettings({ learningRate: 0.01, gradientClip: 0.5 }),
    critic_learning_rate: z
      .number()
      .positive()
      .max(1)
      .default(0.01)
      .describe('Step size of the critics; moves as learning_rate does.'),
    gumbel_temperature: z
      .number()
      .positive()
      .default(1)
      .describe('Of the soft action that gradients pass through: the lower, the steeper.'),
    logit_regularization: z.number().min(0).default(1e-3).describe('Weight of the mean square of the actors’ outputs.'),
    exploration: scheduleSettings(
      z.number().min(0).max(1),
      'Share of actions that are drawn alike from all legal ones',
      { initial: 0, final: 0 },
    ),
    action_deviation: scheduleSettings(
      z.number().positive().max(10),
      'Of a box: standard deviation of the noise, where a number goes from −1 to 1',
      { initial: 0.3, final: 0.05 },
    ),
    ...transferSettings(world),
  });
}

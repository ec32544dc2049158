import { z } from 'zod';
import type { World } from '../../../simulators/contract.ts';
import type { AlgorithmParameters } from '../contract.ts';
import { collectionSettings } from '../settings/collection-settings.ts';
import { networkSettings, type NetworkSettings } from '../settings/network-settings.ts';
import {
  type LearningRateSettings,
  optimizerSettings,
  type OptimizerSettings,
} from '../settings/optimizer-settings.ts';
import { transferSettings } from '../settings/transfer-settings.ts';

/** Settings of the proximal algorithms. */
export interface ProximalParameters
  extends AlgorithmParameters, NetworkSettings, OptimizerSettings, LearningRateSettings {
  readonly gamma: number;
  readonly lambda: number;
  readonly clip: number;
  readonly entropy_coefficient: number;
  readonly entropy_coefficient_final: number;
  readonly entropy_schedule: 'constant' | 'linear' | 'cosine';
  readonly value_coefficient: number;
  readonly value_clip: number | null;
  readonly epochs: number;
  readonly minibatch_size: number;
  readonly gradient_grain: number | null;
  readonly normalize_advantages: boolean;
  readonly value_normalization: 'popart' | 'none';
  readonly reward_normalization: boolean;
  readonly recurrent: { readonly units: number; readonly sequence_steps: number } | null;
}

/**
 * The schema of one of them. The defaults are those that learnt best here at small budgets (docs/decisions/010).
 * @param name what the algorithm is called @param world gives the default of `rollout_steps`: one episode
 */
export function proximalSchema(name: string, world: World): z.ZodType<ProximalParameters> {
  return z
    .strictObject({
      name: z.literal(name),
      ...collectionSettings(world, { parallelEnvironments: 256 }),
      ...networkSettings({ hiddenSizes: [64, 64], activation: 'tanh' }),
      ...lossSettings(),
      ...optimizerSettings({ learningRate: 3e-3, gradientClip: 0.5 }),
      ...minibatchSettings(),
      ...normalizationSettings(),
      recurrent: recurrentSettings(world),
      ...transferSettings(world),
    })
    .superRefine(({ gradient_grain: grain, minibatch_size: minibatch }, context) => {
      if (grain === null || grain <= minibatch) return;
      context.addIssue({
        code: 'custom',
        path: ['gradient_grain'],
        message: `at most ${minibatch}, the algorithm.minibatch_size that it is a part of`,
        params: { remedy: `Lower it to ${minibatch}, or write null, which means the same here.` },
      });
    });
}

/**
 * Parameters as they were resolved, with what they lack because they are older than it: its default stands for what was
 * done before there was such a key.
 */
export function completeParameters(parameters: AlgorithmParameters, world: World): ProximalParameters {
  return proximalSchema(parameters.name, world).parse(parameters);
}

function lossSettings() {
  return {
    gamma: z.number().min(0).max(1).default(0.95).describe('Discount per step.'),
    lambda: z.number().min(0).max(1).default(0.9).describe('Trace decay of generalised advantage estimation.'),
    clip: z
      .number()
      .positive()
      .max(1)
      .default(0.3)
      .describe('Half-width of the trust interval of the probability ratio.'),
    entropy_coefficient: z.number().min(0).max(10).default(3e-3).describe('Weight of the entropy bonus.'),
    entropy_coefficient_final: z
      .number()
      .min(0)
      .max(10)
      .default(0)
      .describe('Weight of the entropy bonus at the end, unless it is constant.'),
    entropy_schedule: z
      .enum(['constant', 'linear', 'cosine'])
      .default('constant')
      .describe('How the weight of the entropy bonus goes to entropy_coefficient_final over the run.'),
    value_coefficient: z.number().min(0).max(100).default(0.5).describe('Weight of the value loss.'),
    value_clip: z
      .number()
      .positive()
      .nullable()
      .default(null)
      .describe('How far a value is pulled from what it was, in deviations of the returns; null: as far as it may go.'),
  };
}

function minibatchSettings() {
  return {
    epochs: z.int().min(1).max(100).default(4).describe('Passes over each block of experience.'),
    minibatch_size: z.int().min(1).max(1_000_000).default(600).describe('Samples of one optimizer step.'),
    gradient_grain: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .default(null)
      .describe('Samples whose gradient is formed at once, and then summed; null: those of a minibatch. Less memory.'),
  };
}

function normalizationSettings() {
  return {
    normalize_advantages: z
      .boolean()
      .default(true)
      .describe('Advantages of a block are shifted and scaled to mean 0, deviation 1.'),
    value_normalization: z
      .enum(['popart', 'none'])
      .default('popart')
      .describe('popart: the critic predicts normalised returns.'),
  };
}

function recurrentSettings(world: World) {
  return z
    .strictObject({
      units: z.int().min(1).max(4096).default(64).describe('Numbers that the actor, and the critic, remember.'),
      sequence_steps: z
        .int()
        .min(1)
        .max(100_000)
        .default(world.episodeStepsMax)
        .describe('Steps that gradients go back through; at most rollout_steps count.'),
    })
    .nullable()
    .default(null)
    .describe(
      'Gated recurrent units after the hidden layers, so that a policy can find out whom it plays with; null: none.',
    );
}

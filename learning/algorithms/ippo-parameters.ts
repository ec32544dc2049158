import { z } from 'zod';
import type { World } from '../../simulators/contract.ts';
import type { AlgorithmParameters } from './contract.ts';

/** Settings of independent PPO. The defaults are those that learnt best here at small budgets (docs/decisions). */
export interface IppoParameters extends AlgorithmParameters {
  readonly name: 'ippo';
  readonly hidden_sizes: readonly number[];
  readonly activation: 'tanh' | 'relu';
  readonly gamma: number;
  readonly lambda: number;
  readonly clip: number;
  readonly learning_rate: number;
  readonly learning_rate_schedule: 'linear' | 'constant';
  readonly entropy_coefficient: number;
  readonly value_coefficient: number;
  readonly epochs: number;
  readonly minibatch_size: number;
  /** Absent in parameters that were resolved before there was such a key, which means the same as null. */
  readonly gradient_grain?: number | null;
  readonly gradient_clip: number;
  readonly adam_epsilon: number;
  readonly normalize_advantages: boolean;
  readonly value_normalization: 'popart' | 'none';
  readonly seat_identity: boolean;
}

/** @param world gives the default of `rollout_steps`: one episode */
export function ippoParametersSchema(world: World): z.ZodType<IppoParameters> {
  return settingsSchema(world).superRefine(({ gradient_grain: grain, minibatch_size: minibatch }, context) => {
    if (grain === null || grain <= minibatch) return;
    context.addIssue({
      code: 'custom',
      path: ['gradient_grain'],
      message: `at most ${minibatch}, the algorithm.minibatch_size that it is a part of`,
      params: { remedy: `Lower it to ${minibatch}, or write null, which means the same here.` },
    });
  });
}

function settingsSchema(world: World) {
  return z.strictObject({
    name: z.literal('ippo'),
    parallel_environments: z.int().min(1).max(65536).default(256).describe('Environments stepped together.'),
    rollout_steps: z
      .int()
      .min(1)
      .max(100_000)
      .default(world.episodeStepsMax)
      .describe('Steps of each environment between updates.'),
    hidden_sizes: z
      .array(z.int().min(1).max(4096))
      .min(1)
      .max(8)
      .default([64, 64])
      .describe('Units of each hidden layer, of actor and critic alike.'),
    activation: z.enum(['tanh', 'relu']).default('tanh').describe('Nonlinearity of the hidden layers.'),
    gamma: z.number().min(0).max(1).default(0.95).describe('Discount per step.'),
    lambda: z.number().min(0).max(1).default(0.9).describe('Trace decay of generalised advantage estimation.'),
    clip: z
      .number()
      .positive()
      .max(1)
      .default(0.3)
      .describe('Half-width of the trust interval of the probability ratio.'),
    learning_rate: z.number().positive().max(1).default(3e-3).describe('Step size of Adam at the start.'),
    learning_rate_schedule: z.enum(['linear', 'constant']).default('linear').describe('linear: to 0 over the run.'),
    entropy_coefficient: z.number().min(0).max(10).default(3e-3).describe('Weight of the entropy bonus.'),
    value_coefficient: z.number().min(0).max(100).default(0.5).describe('Weight of the value loss.'),
    epochs: z.int().min(1).max(100).default(4).describe('Passes over each block of experience.'),
    minibatch_size: z.int().min(1).max(1_000_000).default(600).describe('Samples of one optimizer step.'),
    gradient_grain: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .default(null)
      .describe('Samples whose gradient is formed at once, and then summed; null: those of a minibatch. Less memory.'),
    gradient_clip: z.number().positive().default(0.5).describe('Largest global norm of a gradient.'),
    adam_epsilon: z.number().positive().default(1e-5).describe('Term that keeps Adam from dividing by zero.'),
    normalize_advantages: z
      .boolean()
      .default(true)
      .describe('Advantages of a block are shifted and scaled to mean 0, deviation 1.'),
    value_normalization: z
      .enum(['popart', 'none'])
      .default('popart')
      .describe('popart: the critic predicts normalised returns.'),
    seat_identity: z.boolean().default(true).describe('Seats that share a network are told apart by a one-hot input.'),
  });
}

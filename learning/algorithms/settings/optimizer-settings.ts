import { z } from 'zod';

export interface OptimizerSettings {
  readonly optimizer: 'adam' | 'sgd';
  readonly adam_epsilon: number;
  readonly momentum: number;
  readonly gradient_clip: number;
}

export interface LearningRateSettings {
  readonly learning_rate: number;
  readonly learning_rate_schedule: 'constant' | 'linear' | 'cosine';
  readonly learning_rate_final: number;
  readonly warmup: number;
}

/** How a gradient becomes a step. */
export function optimizerSettings(defaults: { readonly learningRate: number; readonly gradientClip: number }) {
  return {
    optimizer: z.enum(['adam', 'sgd']).default('adam').describe('sgd: stochastic gradient descent with momentum.'),
    adam_epsilon: z.number().positive().default(1e-5).describe('Term that keeps Adam from dividing by zero.'),
    momentum: z.number().min(0).max(0.9999).default(0.9).describe('Of sgd: share of the former step in the next.'),
    gradient_clip: z.number().positive().default(defaults.gradientClip).describe('Largest global norm of a gradient.'),
    learning_rate: z.number().positive().max(1).default(defaults.learningRate).describe('Step size after the warm-up.'),
    learning_rate_schedule: z
      .enum(['constant', 'linear', 'cosine'])
      .default('linear')
      .describe('How the step size goes to learning_rate_final over the run.'),
    learning_rate_final: z.number().min(0).max(1).default(0).describe('Step size at the end, unless it is constant.'),
    warmup: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('Share of the run in which the step size rises to learning_rate in a straight line.'),
  };
}

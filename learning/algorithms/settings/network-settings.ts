import { z } from 'zod';

export interface NetworkSettings {
  readonly hidden_sizes: readonly number[];
  readonly activation: 'tanh' | 'relu';
  readonly parameter_sharing: 'group' | 'none';
  readonly seat_identity: boolean;
  readonly observation_normalization: boolean;
}

/** What the networks of every algorithm are made like. */
export function networkSettings(defaults: {
  readonly hiddenSizes: readonly number[];
  readonly activation: 'tanh' | 'relu';
}) {
  return {
    hidden_sizes: z
      .array(z.int().min(1).max(4096))
      .min(1)
      .max(8)
      .default([...defaults.hiddenSizes])
      .describe('Units of each hidden layer, of all networks alike.'),
    activation: z.enum(['tanh', 'relu']).default(defaults.activation).describe('Nonlinearity of the hidden layers.'),
    parameter_sharing: z
      .enum(['group', 'none'])
      .default('group')
      .describe('group: the seats of a role share a network; none: every seat has its own.'),
    seat_identity: z.boolean().default(true).describe('Seats that share a network are told apart by a one-hot input.'),
    observation_normalization: z
      .boolean()
      .default(false)
      .describe(
        'Observations are shifted and scaled by their running mean and deviation, also in the exported policy.',
      ),
  };
}

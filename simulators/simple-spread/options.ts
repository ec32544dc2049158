import { z } from 'zod';
import { continuousActionsSchema } from '../mpe/moves.ts';

/** `family_options` of simple_spread. */
export const optionsSchema = z.strictObject({
  agents: z.int().min(2).max(8).default(3).describe('Number of agents, and of landmarks.'),
  observe_velocities: z.boolean().default(false).describe("Adds the other agents' velocities to the observations."),
  communication_channel: z
    .boolean()
    .default(true)
    .describe('Keeps the silent communication channel of MPE2 (zeros) in the observations.'),
  continuous_actions: continuousActionsSchema,
  episode_steps: z.int().min(1).max(1000).default(25).describe('Length of every episode, in steps.'),
});

/** Output of `optionsSchema`. */
export type Options = z.output<typeof optionsSchema>;

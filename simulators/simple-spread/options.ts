import { z } from 'zod';

/** `family_options` of simple_spread. */
export const optionsSchema = z.strictObject({
  agents: z.int().min(2).max(8).default(3).describe('Number of agents, and of landmarks.'),
  observe_velocities: z.boolean().default(false).describe("Adds the other agents' velocities to the observations."),
  communication_channel: z
    .boolean()
    .default(true)
    .describe('Keeps the silent communication channel of MPE2 (zeros) in the observations.'),
  continuous_actions: z
    .boolean()
    .default(false)
    .describe('Actions are boxes as in MPE2: how much of nothing, left, right, down and up, each from 0 to 1.'),
  episode_steps: z.int().min(1).max(1000).default(25).describe('Length of every episode, in steps.'),
});

/** Output of `optionsSchema`. */
export type Options = z.output<typeof optionsSchema>;

import { z } from 'zod';

/** `family_options` of simple_tag, named as MPE2 names them. */
export const optionsSchema = z.strictObject({
  num_adversaries: z.int().min(1).max(6).default(3).describe('Number of adversaries; they hold the first seats.'),
  num_good: z.int().min(1).max(4).default(1).describe('Number of prey; they hold the seats after the adversaries.'),
  num_obstacles: z.int().min(0).max(6).default(2).describe('Number of obstacles that stand in the way.'),
  continuous_actions: z
    .boolean()
    .default(false)
    .describe('Actions are boxes as in MPE2: how much of nothing, left, right, down and up, each from 0 to 1.'),
  episode_steps: z.int().min(1).max(1000).default(25).describe('Length of every episode, in steps.'),
});

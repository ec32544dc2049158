import { z } from 'zod';
import { continuousActionsSchema } from '../mpe/moves.ts';

/** `family_options` of simple_tag, named as MPE2 names them. */
export const optionsSchema = z.strictObject({
  num_adversaries: z.int().min(1).max(6).default(3).describe('Number of adversaries; they hold the first seats.'),
  num_good: z.int().min(1).max(4).default(1).describe('Number of prey; they hold the seats after the adversaries.'),
  num_obstacles: z.int().min(0).max(6).default(2).describe('Number of obstacles that stand in the way.'),
  continuous_actions: continuousActionsSchema,
  episode_steps: z.int().min(1).max(1000).default(25).describe('Length of every episode, in steps.'),
});

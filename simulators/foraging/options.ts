import { z } from 'zod';
import { FOOD_LEVEL_MAX, PLAYER_LEVEL_MAX } from './state.ts';

/**
 * `family_options` of foraging. The first three and the last fix the world; the others are what its simulators have
 * unless they say otherwise, so that one option says what `-coop` or `-2s` say in the names of the package.
 */
export const optionsSchema = z.strictObject({
  field_size: z.int().min(5).max(20).default(8).describe('Rows, and columns, of the field.'),
  players: z.int().min(2).max(8).default(2).describe('Number of players.'),
  food: z.int().min(1).max(10).default(2).describe('Number of items of food at the start.'),
  max_player_level: z
    .int()
    .min(1)
    .max(PLAYER_LEVEL_MAX)
    .default(2)
    .describe('Highest level of a player; the default of scenarios.max_player_level.'),
  max_food_level: z
    .int()
    .min(1)
    .max(FOOD_LEVEL_MAX)
    .nullable()
    .default(null)
    .describe('Highest level of food, null for what the three weakest players reach together; the default likewise.'),
  force_coop: z
    .boolean()
    .default(false)
    .describe('Whether all food has the highest level; the default of scenarios.force_coop.'),
  sight: z
    .int()
    .min(1)
    .max(20)
    .nullable()
    .default(null)
    .describe('Cells that a player sees in each direction, null for the whole field; the default of rules.sight.'),
  episode_steps: z.int().min(1).max(1000).default(50).describe('Longest an episode may last, in steps.'),
});

/** Output of `optionsSchema`. */
export type Options = z.output<typeof optionsSchema>;

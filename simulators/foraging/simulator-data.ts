import { z } from 'zod';
import { boundedNumber, shapeOfEntries } from '../number-entry.ts';
import type { Options } from './options.ts';
import { CHANCES, optionEntries, PARTNER_NUMBERS, REWARDS, SCRIPTED_POLICIES } from './parameters.ts';
import { ACTION_COUNT, FOOD_LEVEL_MAX, PLAYER_LEVEL_MAX } from './state.ts';
import { OUTSIDE_PARTNERS } from '../outside-partners.ts';
import { PERTURBATIONS } from '../perturbation-entries.ts';
import { ACTION_BIAS } from '../scripted-partner.ts';
import { SIMULATOR_PART_WORDS } from '../simulator-part-words.ts';

type Placed = readonly [row: number, column: number, level: number];

/** A partner of each scripted policy. `random` has no epsilon, because it would change nothing. */
function scriptedSchema() {
  const { epsilon, lateness, speed } = shapeOfEntries(PARTNER_NUMBERS);
  const kind = z.literal('scripted');
  const action_bias = z
    .array(boundedNumber(ACTION_BIAS))
    .length(ACTION_COUNT)
    .default(() => Array.from({ length: ACTION_COUNT }, () => ACTION_BIAS.default))
    .describe('Weight of each action among the random ones that are legal.');
  return z.discriminatedUnion('name', [
    z.strictObject({
      kind,
      name: z.literal('random').describe(SIMULATOR_PART_WORDS.policy),
      lateness,
      speed,
      action_bias,
    }),
    z.strictObject({
      kind,
      name: z.enum(SCRIPTED_POLICIES).exclude(['random']).describe(SIMULATOR_PART_WORDS.policy),
      epsilon,
      lateness,
      speed,
      action_bias,
    }),
  ]);
}

function partnersSchema(seatCount: number) {
  const partner = z.discriminatedUnion('kind', [scriptedSchema(), ...OUTSIDE_PARTNERS]);
  const shape: Record<string, z.ZodOptional<typeof partner>> = {};
  for (let seat = 0; seat < seatCount; seat += 1)
    shape[seat] = partner.optional().describe(SIMULATOR_PART_WORDS.partner);
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `There is no seat ${keys.join(', ')}; seats are 0 … ${seatCount - 1}` : undefined,
  });
}

function playerSchema({ field_size }: Options) {
  const coordinate = z
    .int()
    .min(0)
    .max(field_size - 1);
  return z.tuple([coordinate, coordinate, z.int().min(1).max(PLAYER_LEVEL_MAX)]);
}

/** Food never lies at the border. */
function foodSchema({ field_size }: Options) {
  const coordinate = z
    .int()
    .min(1)
    .max(field_size - 2);
  return z.tuple([coordinate, coordinate, z.int().min(1).max(FOOD_LEVEL_MAX)]);
}

function startShape(options: Options) {
  return {
    players: z.array(playerSchema(options)).length(options.players).describe('Row, column and level of each player.'),
    food: z.array(foodSchema(options)).max(options.food).describe('Row, column and level of each item of food.'),
  };
}

function shareCell([row, column]: Placed, [otherRow, otherColumn]: Placed): boolean {
  return row === otherRow && column === otherColumn;
}

/** Whether two items of food are as far apart as the package puts them, so that nobody stands beside both. */
function areApart([row, column]: Placed, [otherRow, otherColumn]: Placed): boolean {
  const down = Math.abs(row - otherRow);
  const across = Math.abs(column - otherColumn);
  return Math.max(down, across) > 1 && (Math.min(down, across) > 0 || down + across > 2);
}

interface StartOfFood {
  readonly players: readonly Placed[];
  readonly food: readonly Placed[];
}

function checkFood({ players, food }: StartOfFood, complain: (index: number, message: string) => void): void {
  food.forEach((item, index) => {
    if (players.some((player) => shareCell(player, item))) complain(index, 'A player stands on this food');
    const isNear = food.slice(0, index).some((other) => !areApart(item, other));
    if (isNear) complain(index, 'Food must be 2 cells from other food diagonally, 3 in a row or a column');
  });
}

/** A start that an episode may begin with: nobody stands on anything. */
function scenarioStartSchema(options: Options) {
  return z.strictObject(startShape(options)).superRefine((start, context) => {
    const complain = (kind: string) => (index: number, message: string) =>
      context.addIssue({ code: 'custom', path: [kind, index], message });
    checkFood(start, complain('food'));
    start.players.forEach((player, index) => {
      const isTaken = start.players.slice(0, index).some((other) => shareCell(player, other));
      if (isTaken) complain('players')(index, 'Another player stands here');
    });
  });
}

/**
 * What episodes start from. Without `start`, everything is drawn; with it, `start_spread` cells about it. Levels are
 * uniform from the lowest to the highest; with `force_coop` all food has the highest.
 */
function scenariosSchema(options: Options) {
  const entries = optionEntries(options);
  const { min_player_level, max_player_level, min_food_level, start_spread } = shapeOfEntries(entries);
  return z
    .strictObject({
      min_player_level,
      max_player_level,
      min_food_level,
      max_food_level: boundedNumber(entries.max_food_level).nullable().default(options.max_food_level),
      force_coop: z.boolean().default(options.force_coop).describe('Whether all food has the highest level.'),
      start: scenarioStartSchema(options).optional().describe(SIMULATOR_PART_WORDS.start),
      start_spread,
    })
    .superRefine(({ min_player_level, max_player_level, min_food_level, max_food_level }, context) => {
      const complain = (key: string) =>
        context.addIssue({ code: 'custom', path: [key], message: 'The highest level lies below the lowest' });
      if (min_player_level > max_player_level) complain('max_player_level');
      if (max_food_level !== null && min_food_level > max_food_level) complain('max_food_level');
    });
}

/** Schema of one simulator; parsing its own output gives the same again. */
export function createSimulatorSchema(options: Options) {
  const { sight } = shapeOfEntries(optionEntries(options));
  return z.strictObject({
    partners: partnersSchema(options.players).prefault({}).describe(SIMULATOR_PART_WORDS.partners),
    rules: z
      .strictObject({ sight, ...shapeOfEntries(CHANCES) })
      .prefault({})
      .describe(SIMULATOR_PART_WORDS.rules),
    scenarios: scenariosSchema(options).prefault({}).describe(SIMULATOR_PART_WORDS.scenarios),
    rewards: z.strictObject(shapeOfEntries(REWARDS)).prefault({}).describe(SIMULATOR_PART_WORDS.rewards),
    perturbations: z
      .strictObject(shapeOfEntries(PERTURBATIONS))
      .prefault({})
      .describe(SIMULATOR_PART_WORDS.perturbations),
  });
}

/** Schema of a start, and of everything `state` tells: enough to go on from the middle of an episode. */
export function createStartSchema(options: Options) {
  const action = z
    .int()
    .min(0)
    .max(ACTION_COUNT - 1);
  const joint = z.array(action).length(options.players);
  return z
    .strictObject({
      ...startShape(options),
      spawned: z.int().min(0).optional().describe('Sum of the levels of all food at the start, eaten food included.'),
      step: z.int().min(0).default(0).describe('Steps of the episode that are over.'),
      last_actions: joint.optional().describe('What the seats driven from outside did the step before.'),
      pending_actions: z
        .array(joint)
        .default([])
        .describe('Actions given but not yet in effect because of a delay, the oldest first.'),
    })
    .superRefine((start, context) =>
      checkFood(start, (index, message) => context.addIssue({ code: 'custom', path: ['food', index], message })),
    );
}

/** Output of `createStartSchema`. */
export type Start = z.output<ReturnType<typeof createStartSchema>>;

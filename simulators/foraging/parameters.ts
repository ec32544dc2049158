import type { Parameter, SimulatorData } from '../contract.ts';
import { compileParameters, describeEntries, describeEntry, type NumberEntries } from '../number-entry.ts';
import { PERTURBATIONS } from '../perturbation-entries.ts';
import { ACTION_BIAS, partnerChoices } from '../scripted-partner.ts';
import type { Options } from './options.ts';
import { ACTION_COUNT, FOOD_LEVEL_MAX, PLAYER_LEVEL_MAX } from './state.ts';

// N seats, M items of food, S rows and columns, P parameters.

/** What the vector holds for the row of a player or food whose place is drawn, and for food that is not there. */
export const DRAWN = -1;
export const ABSENT = -2;
/** What the vector holds when the highest level of food is what the three weakest players reach together. */
export const LEVEL_OF_THREE = 0;

export const CHANCES = {
  move_success: { default: 1, low: 0, high: 1, unit: '1', summary: 'Probability that a move is not lost.' },
  load_success: {
    default: 1,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that food strong enough players load comes loose.',
  },
} as const satisfies NumberEntries;

export const REWARDS = {
  penalty: { default: 0, low: 0, high: 1, unit: 'reward', summary: 'Cost of loading with too few levels.' },
  normalized: {
    default: 1,
    low: 0,
    high: 1,
    unit: '1',
    integer: true,
    summary: '1: all food is worth 1 in total. 0: food is worth its level times those of its loaders.',
  },
  shared: { default: 0, low: 0, high: 1, unit: '1', summary: 'Share of each reward that is spread over all players.' },
} as const satisfies NumberEntries;

/** What every scripted partner has; see `partners.ts` for what they do. */
export const PARTNER_NUMBERS = {
  epsilon: { default: 0, low: 0, high: 1, unit: '1', summary: 'Probability of a random legal action in a step.' },
  lateness: { default: 0, low: 0, high: 50, unit: 'steps', integer: true, summary: 'Idle steps at the start.' },
  speed: { default: 1, low: 0, high: 1, unit: '1', summary: 'Probability that it acts in a step, and does not idle.' },
} as const satisfies NumberEntries;

/**
 * Names a scripted partner may have. The order gives the number that stands for a name in the parameter vector, after
 * 0 for a seat that is driven from outside; so it never changes, new names are appended.
 */
export const SCRIPTED_POLICIES = [
  'noop',
  'random',
  'nearest_food',
  'central_food',
  'own_level_food',
  'team_level_food',
  'farthest_food',
  'highest_food',
  'lowest_food',
  'topmost_food',
  'bottommost_food',
  'leftmost_food',
  'rightmost_food',
  'follow_partner',
  'cooperative_food',
] as const;

export type ScriptedPolicy = (typeof SCRIPTED_POLICIES)[number];

export const PARTNER_CHOICES = partnerChoices(SCRIPTED_POLICIES);

/** The numbers whose defaults, or ranges, the options give. */
export function optionEntries(options: Options) {
  const levels = { low: 1, high: PLAYER_LEVEL_MAX, unit: 'level', integer: true } as const;
  return {
    sight: {
      default: Math.min(options.sight ?? options.field_size, options.field_size),
      low: 1,
      high: options.field_size,
      unit: 'cells',
      integer: true,
      summary: 'Cells that a player sees in each direction.',
    },
    min_player_level: { ...levels, default: 1, summary: 'Lowest level of a player.' },
    max_player_level: { ...levels, default: options.max_player_level, summary: 'Highest level of a player.' },
    min_food_level: { ...levels, high: FOOD_LEVEL_MAX, default: 1, summary: 'Lowest level of food.' },
    max_food_level: {
      ...levels,
      high: FOOD_LEVEL_MAX,
      default: options.max_food_level ?? LEVEL_OF_THREE,
      summary: 'Highest level of food, null for what the three weakest players reach together.',
    },
    start_spread: {
      default: 0,
      low: 0,
      high: options.field_size,
      unit: 'cells',
      integer: true,
      summary: 'Farthest that rows and columns may be drawn from those of `start`.',
    },
  } as const satisfies NumberEntries;
}

function integer(path: string, low: number, high: number, unit: string, summary: string): Parameter {
  return { path, kind: 'integer', low, high, unit, summary };
}

/** Row, column and level of everything a start names. A row below 0 says that it is drawn, or that it is not there. */
function describeStart({ field_size, players, food }: Options): Parameter[] {
  const one = (path: string, levelMax: number): Parameter[] => [
    integer(
      `${path}.0`,
      ABSENT,
      field_size - 1,
      'cells',
      `Row; ${DRAWN} where it is drawn, ${ABSENT} where there is none.`,
    ),
    integer(`${path}.1`, 0, field_size - 1, 'cells', 'Column.'),
    integer(`${path}.2`, 1, levelMax, 'level', 'Level.'),
  ];
  const many = (kind: string, count: number, levelMax: number): Parameter[] =>
    Array.from({ length: count }, (_, index) => one(`scenarios.start.${kind}.${index}`, levelMax)).flat();
  return [...many('players', players, PLAYER_LEVEL_MAX), ...many('food', food, FOOD_LEVEL_MAX)];
}

function describePartner(seat: number): Parameter[] {
  const choices = PARTNER_CHOICES;
  return [
    {
      path: `partners.${seat}.name`,
      kind: 'choice',
      low: 0,
      high: choices.length - 1,
      unit: '1',
      summary: 'Who holds the seat.',
      choices,
    },
    ...describeEntries(`partners.${seat}`, PARTNER_NUMBERS),
    ...Array.from({ length: ACTION_COUNT }, (_, action) =>
      describeEntry(`partners.${seat}.action_bias.${action}`, ACTION_BIAS),
    ),
  ];
}

/** Every number of a simulator, in the order of the parameter vector. */
export function createParameters(options: Options): readonly Parameter[] {
  const { sight, max_food_level, ...scenarios } = optionEntries(options);
  return [
    ...describeEntries('rules', { sight, ...CHANCES }),
    ...describeEntries('rewards', REWARDS),
    ...describeEntries('perturbations', PERTURBATIONS),
    ...describeEntries('scenarios', scenarios),
    describeEntry('scenarios.max_food_level', { ...max_food_level, low: LEVEL_OF_THREE }),
    {
      path: 'scenarios.force_coop',
      kind: 'choice',
      low: 0,
      high: 1,
      unit: '1',
      summary: 'Whether all food has the highest level.',
      choices: ['false', 'true'],
    },
    ...describeStart(options),
    ...Array.from({ length: options.players }, (_, seat) => describePartner(seat)).flat(),
  ];
}

/**
 * The parameter vector of a simulator, shape [P]. What a partner that is not there would have is what it would be if a
 * randomization range made that seat scripted.
 * @param simulator with every default written out
 */
export function compile(parameters: readonly Parameter[], simulator: SimulatorData): Float64Array {
  const hasStart = simulator.scenarios['start'] !== undefined;
  return compileParameters(parameters, simulator, (path) => {
    if (path.endsWith('.speed')) return PARTNER_NUMBERS.speed.default;
    if (path.includes('.action_bias.')) return ACTION_BIAS.default;
    if (path.startsWith('scenarios.start.')) return absentStart(path, hasStart);
    return 0;
  });
}

/** Of a start that is not there, the row says so; column and level are any legal ones. */
function absentStart(path: string, hasStart: boolean): number {
  if (path.endsWith('.0')) return hasStart ? ABSENT : DRAWN;
  return path.endsWith('.2') ? 1 : 0;
}

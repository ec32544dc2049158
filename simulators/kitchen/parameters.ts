import type { Parameter, SimulatorData } from '../contract.ts';
import {
  compileParameters,
  describeEntries,
  describeEntry,
  type NumberEntries,
  type NumberEntry,
} from '../number-entry.ts';
import { PERTURBATIONS } from '../perturbation-entries.ts';
import { ACTION_BIAS, partnerChoices } from '../scripted-partner.ts';
import type { FloorPlan } from './floor-plan.ts';
import { ITEM_COUNT, SOUP_NAMES, type SoupName } from './items.ts';
import { ACTION_COUNT, FACING_COUNT, SEATS } from './state.ts';

// P parameters.

/** Most things that a start in a simulator may have lying about; more are let go. */
export const START_OBJECTS_MAX = 8;
/** What the vector holds for the layout of a start that there is none of, and for the row of what is not there. */
export const ABSENT = -1;
/** Longest that `cooking` of a start may be, in steps. */
export const COOKING_MAX = 1000;

export const RULES = {
  cook_time: { default: 20, low: 0, high: 200, unit: 'steps', summary: 'Steps that a soup cooks, whatever is in it.' },
  onion_time: { default: 0, low: 0, high: 100, unit: 'steps', summary: 'Further steps for each onion in it.' },
  tomato_time: { default: 0, low: 0, high: 100, unit: 'steps', summary: 'Further steps for each tomato in it.' },
  auto_cook: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    integer: true,
    summary: '1: a full pot begins to cook by itself. 0: somebody has to turn it on, with empty hands.',
  },
  move_success: { default: 1, low: 0, high: 1, unit: '1', summary: 'Probability that a move is not lost.' },
  interact_success: { default: 1, low: 0, high: 1, unit: '1', summary: 'Probability that an interaction is not lost.' },
} as const satisfies NumberEntries;

const SOUP_WORTHS: Readonly<Partial<Record<SoupName, number>>> = { soup_ooo: 20 };

function soupEntry(name: SoupName): NumberEntry {
  const letters = [...name.replace('soup_', '')].map((letter) => (letter === 'o' ? 'onion' : 'tomato')).join(', ');
  const summary = `Worth of a soup of ${letters}; 0 where nobody ordered it.`;
  return { default: SOUP_WORTHS[name] ?? 0, low: 0, high: 100, unit: 'reward', summary };
}

const shaped = (worth: number, summary: string): NumberEntry => ({
  default: worth,
  low: 0,
  high: 100,
  unit: 'reward',
  summary,
});

export const REWARDS = {
  ...(Object.fromEntries(SOUP_NAMES.map((name) => [name, soupEntry(name)])) as Record<SoupName, NumberEntry>),
  shaping: { default: 1, low: 0, high: 10, unit: '1', summary: 'Factor of the next three; 0 leaves soups alone.' },
  placement: shaped(3, 'For putting an ingredient into a pot.'),
  dish_pickup: shaped(3, 'For taking a dish from its stack when one is needed.'),
  soup_pickup: shaped(5, 'For taking a soup from its pot.'),
  shared: {
    default: 1,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Share of the worth of a soup that is spread over both cooks; the rest is for who serves it.',
  },
} satisfies NumberEntries;

export const SCENARIOS = {
  start_spread: {
    default: 0,
    low: 0,
    high: 20,
    unit: 'steps',
    integer: true,
    summary: 'Longest way from where a cook should start to where it may.',
  },
  pots_filled: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that an empty pot begins with 1 to 3 ingredients, and that it is on then.',
  },
  hands_filled: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that a cook with empty hands begins with an onion (0.6), a dish (0.2) or a soup (0.2).',
  },
} as const satisfies NumberEntries;

/** What every scripted partner has; see `partners.ts` for what they do. */
export const PARTNER_NUMBERS = {
  epsilon: { default: 0, low: 0, high: 1, unit: '1', summary: 'Probability of a random action in a step.' },
  lateness: { default: 0, low: 0, high: 200, unit: 'steps', integer: true, summary: 'Idle steps at the start.' },
  speed: { default: 1, low: 0, high: 1, unit: '1', summary: 'Probability that it acts in a step, and does not stay.' },
} as const satisfies NumberEntries;

/**
 * Names a scripted partner may have. The order gives the number that stands for a name in the parameter vector, after
 * 0 for a seat that is driven from outside; so it never changes, new names are appended.
 */
export const SCRIPTED_POLICIES = ['stay', 'random', 'greedy', 'onion_only', 'plate_only'] as const;

export type ScriptedPolicy = (typeof SCRIPTED_POLICIES)[number];

export const PARTNER_CHOICES = partnerChoices(SCRIPTED_POLICIES);

/** Which drawing a simulator is played on: a number, so that ranges and generators may change it. */
export function layoutEntry(plan: FloorPlan, initial: string): NumberEntry {
  const named = plan.names.map((name, index) => `${index} ${name}`).join(', ');
  return {
    default: plan.names.indexOf(initial),
    low: 0,
    high: plan.names.length - 1,
    unit: '1',
    integer: true,
    summary: `Layout, by name or number: ${named}.`,
  };
}

function integer(path: string, [low, high]: readonly [number, number], unit: string, summary: string): Parameter {
  return { path, kind: 'integer', low, high, unit, summary };
}

/** Everything a start names. A row below 0 says that the cook or thing is not there, a layout below 0 that no start is. */
function describeStart({ names, rowCount, stride }: FloorPlan): Parameter[] {
  const start = 'scenarios.start';
  const lists = [
    ['players', SEATS],
    ['objects', START_OBJECTS_MAX],
  ] as const;
  return [
    integer(`${start}.layout`, [ABSENT, names.length - 1], '1', `Layout of the start; ${ABSENT} where none is given.`),
    ...lists.flatMap(([list, count]) =>
      Array.from({ length: count }, (_, index) => {
        const path = `${start}.${list}.${index}`;
        const isCook = list === 'players';
        return [
          integer(`${path}.0`, [ABSENT, rowCount - 1], 'cells', `Row; ${ABSENT} where there is none.`),
          integer(`${path}.1`, [0, stride - 1], 'cells', 'Column.'),
          isCook
            ? integer(`${path}.2`, [0, FACING_COUNT - 1], '1', 'Where the cook looks: north, south, east, west.')
            : integer(`${path}.2`, [0, ITEM_COUNT - 1], '1', 'What it is.'),
          isCook
            ? integer(`${path}.3`, [0, ITEM_COUNT - 1], '1', 'What the cook carries.')
            : integer(`${path}.3`, [0, COOKING_MAX], 'steps', 'How long it has been cooking.'),
        ];
      }).flat(),
    ),
  ];
}

function describePartner(seat: number): Parameter[] {
  const name = { path: `partners.${seat}.name`, kind: 'choice', unit: '1', summary: 'Who holds the seat.' } as const;
  return [
    { ...name, low: 0, high: PARTNER_CHOICES.length - 1, choices: PARTNER_CHOICES },
    ...describeEntries(`partners.${seat}`, PARTNER_NUMBERS),
    ...Array.from({ length: ACTION_COUNT }, (_, action) =>
      describeEntry(`partners.${seat}.action_bias.${action}`, ACTION_BIAS),
    ),
  ];
}

/** Every number of a simulator, in the order of the parameter vector. */
export function createParameters(plan: FloorPlan, initialLayout: string): readonly Parameter[] {
  return [
    ...describeEntries('rules', RULES),
    ...describeEntries('rewards', REWARDS),
    ...describeEntries('perturbations', PERTURBATIONS),
    describeEntry('scenarios.layout', layoutEntry(plan, initialLayout)),
    ...describeEntries('scenarios', SCENARIOS),
    ...describeStart(plan),
    ...Array.from({ length: SEATS }, (_, seat) => describePartner(seat)).flat(),
  ];
}

/**
 * The parameter vector of a simulator, shape [P]. What a partner that is not there would have is what it would be if a
 * randomization range made that seat scripted.
 * @param simulator with every default written out
 */
export function compile(parameters: readonly Parameter[], simulator: SimulatorData): Float64Array {
  return compileParameters(parameters, simulator, (path) => {
    if (path.endsWith('.speed')) return PARTNER_NUMBERS.speed.default;
    if (path.includes('.action_bias.')) return ACTION_BIAS.default;
    return path === 'scenarios.start.layout' || /^scenarios\.start\.\w+\.\d+\.0$/.test(path) ? ABSENT : 0;
  });
}

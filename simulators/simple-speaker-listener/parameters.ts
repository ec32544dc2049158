import type { Parameter } from '../contract.ts';
import {
  describePartner,
  describeStart,
  MOTION_RULES,
  MOVER,
  type PartnerMeans,
  PERTURBATIONS,
  startWidths,
} from '../mpe/parameters.ts';
import { describeEntries, describeEntry, type NumberEntries, type NumberEntry } from '../number-entry.ts';
import { partnerChoices } from '../scripted-partner.ts';
import { CODE_BOOK_WORDS, CODE_BOOKS, SYMBOL_COUNT } from './code-books.ts';

export type Role = 'speaker' | 'listener';

export const SPEAKER = 0;
export const LISTENER = 1;
export const ROLES = ['speaker', 'listener'] as const satisfies readonly Role[];
export const SEAT_COUNT = ROLES.length;
export const LANDMARK_COUNT = SYMBOL_COUNT;

/** By seat: a speaker has its symbols, a listener its moves. */
export const MEANS: readonly PartnerMeans[] = [{ moveCount: SYMBOL_COUNT, isMover: false }, MOVER];
export const MOVE_COUNTS: readonly number[] = MEANS.map(({ moveCount }) => moveCount);

export const RULES = {
  ...MOTION_RULES,
  acceleration: { default: 5, low: 0, high: 20, unit: 'length·mass/s²', summary: 'Force of a move of the listener.' },
  mass: { default: 1, low: 0.1, high: 10, unit: 'mass', summary: 'Mass of the listener.' },
  loudness: { default: 1, low: 0, high: 10, unit: '1', summary: 'The number that is heard where a symbol was said.' },
} as const satisfies NumberEntries;

export const REWARDS = {
  squared_distance: {
    default: 1,
    low: 0,
    high: 10,
    unit: 'reward/length²',
    summary: 'Cost of the squared distance of the listener to the goal.',
  },
  distance: { default: 0, low: 0, high: 10, unit: 'reward/length', summary: 'Cost of that distance itself.' },
  arrival: { default: 0, low: 0, high: 10, unit: 'reward', summary: 'Reward of each step at the goal.' },
} as const satisfies NumberEntries;

/** What happens to a word between the speaker and the listener, in the order of the keys but for the noise, the last. */
export const CHANNEL = {
  channel_drift: {
    default: 0,
    low: 0,
    high: 25,
    unit: 'steps',
    integer: true,
    summary: 'Steps after which each symbol turns into the next, and so again and again; 0 for never.',
  },
  channel_permutation: {
    default: 0,
    low: 0,
    high: CODE_BOOKS.length - 1,
    unit: '1',
    integer: true,
    summary: `Which symbols 0, 1 and 2 become: ${CODE_BOOK_WORDS}.`,
  },
  channel_error: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that one of the two other symbols is heard in place of the right one.',
  },
  channel_loss: { default: 0, low: 0, high: 1, unit: '1', summary: 'Probability that nothing is heard of a word.' },
  channel_noise: {
    default: 0,
    low: 0,
    high: 2,
    unit: '1',
    summary: 'Standard deviation of the normal noise on each number that is heard; `c_noise` in MPE2.',
  },
} as const satisfies NumberEntries;

export const START_WIDTHS = startWidths(1);

export const GOAL: NumberEntry = {
  default: 0,
  low: 0,
  high: LANDMARK_COUNT - 1,
  unit: '1',
  integer: true,
  summary: 'Index of the landmark that is the goal.',
};
export const GOAL_PATH = 'scenarios.start.goal';
/** What stands in the place of the goal where it is drawn anew for each episode. */
export const DRAWN = -1;

export const GOAL_WEIGHT: NumberEntry = {
  default: 1,
  low: 0,
  high: 1,
  unit: '1',
  summary: 'Weight of a landmark among the goals that are drawn.',
};

/**
 * Names a scripted partner may have, by its role. The order gives the number that stands for a name in the parameter
 * vector, after 0 for a seat that is driven from outside; so it never changes, new names are appended.
 */
export const SCRIPTED_POLICIES = {
  speaker: ['noop', 'random', 'faithful', 'code_book', 'drawn_code_book', 'once'],
  listener: ['noop', 'random', 'greedy', 'code_book', 'lazy', 'centre', 'nearest_landmark', 'fixed_landmark'],
} as const satisfies Record<Role, readonly string[]>;

export type SpeakerPolicy = (typeof SCRIPTED_POLICIES.speaker)[number];
export type ListenerPolicy = (typeof SCRIPTED_POLICIES.listener)[number];

export const SPEAKER_CHOICES = partnerChoices(SCRIPTED_POLICIES.speaker);
export const LISTENER_CHOICES = partnerChoices(SCRIPTED_POLICIES.listener);

export const PARTNER_CODE_BOOK: NumberEntry = {
  default: 0,
  low: 0,
  high: CODE_BOOKS.length - 1,
  unit: '1',
  integer: true,
  summary: `Symbols that stand for the goals 0, 1 and 2 with \`code_book\`: ${CODE_BOOK_WORDS}.`,
};
export const PARTNER_LANDMARK: NumberEntry = {
  default: 0,
  low: 0,
  high: LANDMARK_COUNT - 1,
  unit: '1',
  integer: true,
  summary: 'The landmark that `fixed_landmark` goes to.',
};

/** Every number of a simulator, in the order of the parameter vector. */
export const PARAMETERS: readonly Parameter[] = [
  ...describeEntries('rules', RULES),
  ...describeEntries('rewards', REWARDS),
  ...describeEntries('perturbations', { ...PERTURBATIONS, ...CHANNEL }),
  ...describeEntries('scenarios', START_WIDTHS),
  ...Array.from({ length: LANDMARK_COUNT }, (_, goal) => describeEntry(`scenarios.goal_weights.${goal}`, GOAL_WEIGHT)),
  ...describeStart(SEAT_COUNT, LANDMARK_COUNT),
  { ...describeEntry(GOAL_PATH, GOAL), low: DRAWN, summary: `${GOAL.summary} ${DRAWN} where it is drawn.` },
  ...describePartner(SPEAKER, SPEAKER_CHOICES, MEANS[SPEAKER]),
  describeEntry(`partners.${SPEAKER}.code_book`, PARTNER_CODE_BOOK),
  ...describePartner(LISTENER, LISTENER_CHOICES, MEANS[LISTENER]),
  describeEntry(`partners.${LISTENER}.code_book`, PARTNER_CODE_BOOK),
  describeEntry(`partners.${LISTENER}.landmark`, PARTNER_LANDMARK),
];

import type { Parameter } from '../contract.ts';
import { describePartner, describeStart, PERTURBATIONS, startWidths, WORLD_RULES } from '../mpe/parameters.ts';
import { partnerChoices } from '../scripted-partner.ts';
import { describeEntries, describeEntry, type NumberEntries, type NumberEntry } from '../number-entry.ts';

// N seats, P parameters.

export const RULES = {
  ...WORLD_RULES,
  acceleration: { default: 5, low: 0, high: 20, unit: 'length·mass/s²', summary: 'Force of a moving action.' },
  mass: { default: 1, low: 0.1, high: 10, unit: 'mass', summary: 'Mass of an agent.' },
  agent_size: { default: 0.15, low: 0.01, high: 0.5, unit: 'length', summary: 'Radius of an agent.' },
} as const satisfies NumberEntries;

export const REWARDS = {
  local_ratio: { default: 0.5, low: 0, high: 1, unit: '1', summary: 'Weight of the own part; the rest is shared.' },
  coverage: { default: 1, low: 0, high: 10, unit: 'reward/length', summary: 'Cost of distance to a landmark.' },
  collision: { default: 1, low: 0, high: 10, unit: 'reward', summary: 'Cost of touching another agent for a step.' },
} as const satisfies NumberEntries;

export const START_WIDTHS = startWidths(1);

/** What the `weighted` partner weighs: it goes to the landmark with the largest weighted sum of these. */
export const PARTNER_WEIGHTS = {
  x: { default: 0, low: -10, high: 10, unit: '1/length', summary: 'Weight of the x coordinate.' },
  y: { default: 0, low: -10, high: 10, unit: '1/length', summary: 'Weight of the y coordinate.' },
  distance_self: { default: 0, low: -10, high: 10, unit: '1/length', summary: 'Weight of the distance to itself.' },
  distance_learner: {
    default: 0,
    low: -10,
    high: 10,
    unit: '1/length',
    summary: 'Weight of the distance to the nearest agent driven from outside.',
  },
  index: { default: 0, low: -10, high: 10, unit: '1', summary: 'Weight of the index of the landmark.' },
} as const satisfies NumberEntries;

/**
 * Names a scripted partner may have. The order gives the number that stands for a name in the parameter vector, after
 * 0 for a seat that is driven from outside; so it never changes, new names are appended.
 */
export const SCRIPTED_POLICIES = [
  'noop',
  'random',
  'nearest_landmark',
  'farthest_landmark',
  'fixed_landmark',
  'leftmost_landmark',
  'rightmost_landmark',
  'topmost_landmark',
  'bottommost_landmark',
  'random_landmark',
  'weighted',
] as const;

export type ScriptedPolicy = (typeof SCRIPTED_POLICIES)[number];

export const PARTNER_CHOICES = partnerChoices(SCRIPTED_POLICIES);

function partnerLandmark(seatCount: number): NumberEntry {
  const summary = 'The landmark that `fixed_landmark` goes to.';
  return { default: 0, low: 0, high: seatCount - 1, unit: '1', integer: true, summary };
}

/** Every number of a simulator with N seats, in the order of the parameter vector. */
export function createParameters(seatCount: number): readonly Parameter[] {
  return [
    ...describeEntries('rules', RULES),
    ...describeEntries('rewards', REWARDS),
    ...describeEntries('perturbations', PERTURBATIONS),
    ...describeEntries('scenarios', START_WIDTHS),
    ...describeStart(seatCount, seatCount),
    ...Array.from({ length: seatCount }, (_, seat) => [
      ...describePartner(seat, PARTNER_CHOICES),
      describeEntry(`partners.${seat}.landmark`, partnerLandmark(seatCount)),
      ...describeEntries(`partners.${seat}.weights`, PARTNER_WEIGHTS),
    ]).flat(),
  ];
}

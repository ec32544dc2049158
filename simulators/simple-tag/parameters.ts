import type { Parameter } from '../contract.ts';
import { describePartner, describeStart, PERTURBATIONS, startWidths, WORLD_RULES } from '../mpe/parameters.ts';
import { partnerChoices } from '../scripted-partner.ts';
import { describeEntries, describeEntry, type NumberEntries, type NumberEntry } from '../number-entry.ts';

export type Role = 'adversary' | 'prey';

/** Who sits where: adversaries on seats 0 … adversaryCount − 1, prey on the others. */
export interface Seating {
  readonly seatCount: number;
  readonly adversaryCount: number;
  readonly obstacleCount: number;
}

export function roleAt({ adversaryCount }: Seating, seat: number): Role {
  return seat < adversaryCount ? 'adversary' : 'prey';
}

function acceleration(value: number, of: string): NumberEntry {
  return { default: value, low: 0, high: 20, unit: 'length·mass/s²', summary: `Force of a moving action of ${of}.` };
}

function maxSpeed(value: number, of: string): NumberEntry {
  return { default: value, low: 0, high: 10, unit: 'length/s', summary: `Top speed of ${of}.` };
}

function size(value: number, of: string): NumberEntry {
  return { default: value, low: 0.01, high: 0.5, unit: 'length', summary: `Radius of ${of}.` };
}

function mass(of: string): NumberEntry {
  return { default: 1, low: 0.1, high: 10, unit: 'mass', summary: `Mass of ${of}.` };
}

export const RULES = {
  ...WORLD_RULES,
  adversary_acceleration: acceleration(3, 'an adversary'),
  adversary_max_speed: maxSpeed(1, 'an adversary'),
  adversary_size: size(0.075, 'an adversary'),
  adversary_mass: mass('an adversary'),
  prey_acceleration: acceleration(4, 'a prey'),
  prey_max_speed: maxSpeed(1.3, 'a prey'),
  prey_size: size(0.05, 'a prey'),
  prey_mass: mass('a prey'),
  obstacle_size: size(0.2, 'an obstacle'),
} as const satisfies NumberEntries;

export const REWARDS = {
  catch: { default: 10, low: 0, high: 100, unit: 'reward', summary: 'What a touch for a step gives and costs.' },
  boundary: { default: 1, low: 0, high: 10, unit: '1', summary: 'Factor on what leaving the square costs a prey.' },
  shaping: {
    default: 0,
    low: 0,
    high: 10,
    unit: 'reward/length',
    summary: 'Reward of nearness for adversaries and of distance for prey; 0.1 where MPE2 shapes rewards.',
  },
} as const satisfies NumberEntries;

export const START_WIDTHS = startWidths(0.9);

/** What the `weighted` prey weighs: it moves along the weighted sum of these directions, each of length 1. */
export const PREY_WEIGHTS = {
  flee_nearest: { default: 0, low: -10, high: 10, unit: '1', summary: 'Weight of away from the nearest adversary.' },
  flee_centroid: { default: 0, low: -10, high: 10, unit: '1', summary: "Weight of away from the adversaries' centre." },
  orbit: { default: 0, low: -10, high: 10, unit: '1', summary: 'Weight of counter-clockwise about the origin.' },
  centre: { default: 0, low: -10, high: 10, unit: '1', summary: 'Weight of towards the origin.' },
  x: { default: 0, low: -10, high: 10, unit: '1', summary: 'Weight of to the right.' },
  y: { default: 0, low: -10, high: 10, unit: '1', summary: 'Weight of up.' },
} as const satisfies NumberEntries;

/**
 * Names a scripted partner may have, by its role. The order gives the number that stands for a name in the parameter
 * vector, after 0 for a seat that is driven from outside; so it never changes, new names are appended.
 */
export const SCRIPTED_POLICIES = {
  adversary: ['noop', 'random', 'chase', 'rush', 'intercept', 'surround', 'guard'],
  prey: [
    'noop',
    'random',
    'flee_nearest',
    'flee_centroid',
    'orbit_left',
    'orbit_right',
    'zigzag',
    'corner',
    'weighted',
  ],
} as const satisfies Record<Role, readonly string[]>;

export type AdversaryPolicy = (typeof SCRIPTED_POLICIES.adversary)[number];
export type PreyPolicy = (typeof SCRIPTED_POLICIES.prey)[number];

export const ADVERSARY_CHOICES = partnerChoices(SCRIPTED_POLICIES.adversary);
export const PREY_CHOICES = partnerChoices(SCRIPTED_POLICIES.prey);

const PARTNER_CORNER: NumberEntry = {
  default: 0,
  low: 0,
  high: 3,
  unit: '1',
  integer: true,
  summary: 'The corner that `corner` goes to; 1 is right, 2 is up, 3 is both.',
};

function describeSeat(seating: Seating, seat: number): Parameter[] {
  if (roleAt(seating, seat) === 'adversary') return describePartner(seat, ADVERSARY_CHOICES);
  return [
    ...describePartner(seat, PREY_CHOICES),
    describeEntry(`partners.${seat}.corner`, PARTNER_CORNER),
    ...describeEntries(`partners.${seat}.weights`, PREY_WEIGHTS),
  ];
}

/** Every number of a simulator, in the order of the parameter vector. */
export function createParameters(seating: Seating): readonly Parameter[] {
  const { seatCount, obstacleCount } = seating;
  return [
    ...describeEntries('rules', RULES),
    ...describeEntries('rewards', REWARDS),
    ...describeEntries('perturbations', PERTURBATIONS),
    ...describeEntries('scenarios', START_WIDTHS),
    ...describeStart(seatCount, obstacleCount),
    ...Array.from({ length: seatCount }, (_, seat) => describeSeat(seating, seat)).flat(),
  ];
}

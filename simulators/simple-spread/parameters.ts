import { ThawError } from '../../schemas/errors.ts';
import type { Parameter, SimulatorData } from '../contract.ts';

// N seats, P parameters.

/** One number of a simulator: its default, its legal range, its unit, and what it does. */
export interface NumberEntry {
  readonly default: number;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  readonly integer?: true;
  readonly summary: string;
}

type Entries = Readonly<Record<string, NumberEntry>>;

export const RULES = {
  damping: { default: 0.25, low: 0, high: 1, unit: '1', summary: 'Share of the velocity lost in a step.' },
  acceleration: { default: 5, low: 0, high: 20, unit: 'length·mass/s²', summary: 'Force of a moving action.' },
  mass: { default: 1, low: 0.1, high: 10, unit: 'mass', summary: 'Mass of an agent.' },
  time_step: { default: 0.1, low: 0.01, high: 0.5, unit: 's', summary: 'Time that one step lasts.' },
  agent_size: { default: 0.15, low: 0.01, high: 0.5, unit: 'length', summary: 'Radius of an agent.' },
  contact_force: { default: 100, low: 0, high: 1000, unit: 'mass/s²', summary: 'Stiffness of a contact.' },
  contact_margin: { default: 0.001, low: 0.0001, high: 0.1, unit: 'length', summary: 'Softness of a contact.' },
} as const satisfies Entries;

export const REWARDS = {
  local_ratio: { default: 0.5, low: 0, high: 1, unit: '1', summary: 'Weight of the own part; the rest is shared.' },
  coverage: { default: 1, low: 0, high: 10, unit: 'reward/length', summary: 'Cost of distance to a landmark.' },
  collision: { default: 1, low: 0, high: 10, unit: 'reward', summary: 'Cost of touching another agent for a step.' },
} as const satisfies Entries;

export const PERTURBATIONS = {
  observation_noise: {
    default: 0,
    low: 0,
    high: 1,
    unit: 'length or length/s',
    summary: 'Standard deviation of the normal noise on every sensed number.',
  },
  action_delay: {
    default: 0,
    low: 0,
    high: 10,
    unit: 'steps',
    integer: true,
    summary: 'Steps after which an action given from outside takes effect; agents idle until then.',
  },
} as const satisfies Entries;

/** Half widths of the uniform distributions about `scenarios.start` that a reset draws from; MPE2's are the defaults. */
export const START_WIDTHS = {
  agent_half_width: { default: 1, low: 0, high: 2, unit: 'length', summary: 'For agent positions.' },
  velocity_half_width: { default: 0, low: 0, high: 2, unit: 'length/s', summary: 'For agent velocities.' },
  landmark_half_width: { default: 1, low: 0, high: 2, unit: 'length', summary: 'For landmark positions.' },
} as const satisfies Entries;

export const START_POSITION = { default: 0, low: -3, high: 3, unit: 'length', summary: 'A coordinate.' };
export const START_VELOCITY = { default: 0, low: -10, high: 10, unit: 'length/s', summary: 'A component.' };

/** What every scripted partner has; see `partners.ts` for what they do. */
export const PARTNER_NUMBERS = {
  epsilon: { default: 0, low: 0, high: 1, unit: '1', summary: 'Probability of a uniformly random action in a step.' },
  lateness: { default: 0, low: 0, high: 25, unit: 'steps', integer: true, summary: 'Idle steps at the start.' },
  speed: { default: 1, low: 0, high: 1, unit: '1', summary: 'Factor on the force of its moves.' },
} as const satisfies Entries;

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
} as const satisfies Entries;

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

const PARTNER_CHOICES = ['external', ...SCRIPTED_POLICIES] as const;

/** What stands in the parameter vector for the partner of a seat: an index into the names, 0 for outside. */
export function policyAt(code: number): ScriptedPolicy | 'external' {
  const policy = PARTNER_CHOICES[code];
  if (policy === undefined) throw new ThawError('DEFECT_INVARIANT', `no partner has the number ${code}`);
  return policy;
}

function describe(path: string, entry: NumberEntry): Parameter {
  return { path, kind: entry.integer ? 'integer' : 'real', low: entry.low, high: entry.high, unit: entry.unit };
}

function describeAll(prefix: string, entries: Entries): Parameter[] {
  return Object.entries(entries).map(([name, entry]) => describe(`${prefix}.${name}`, entry));
}

function describeStart(seatCount: number): Parameter[] {
  const kinds = { agents: START_POSITION, velocities: START_VELOCITY, landmarks: START_POSITION };
  return Object.entries(kinds).flatMap(([kind, entry]) =>
    Array.from({ length: seatCount }, (_, index) =>
      [0, 1].map((axis) => describe(`scenarios.start.${kind}.${index}.${axis}`, entry)),
    ).flat(),
  );
}

function describePartner(seat: number, seatCount: number): Parameter[] {
  const prefix = `partners.${seat}`;
  return [
    {
      path: `${prefix}.name`,
      kind: 'choice',
      low: 0,
      high: PARTNER_CHOICES.length - 1,
      unit: '1',
      choices: PARTNER_CHOICES,
    },
    ...describeAll(prefix, PARTNER_NUMBERS),
    { path: `${prefix}.landmark`, kind: 'integer', low: 0, high: seatCount - 1, unit: '1' },
    ...describeAll(`${prefix}.weights`, PARTNER_WEIGHTS),
  ];
}

/** Every number of a simulator with N seats, in the order of the parameter vector. */
export function createParameters(seatCount: number): readonly Parameter[] {
  return [
    ...describeAll('rules', RULES),
    ...describeAll('rewards', REWARDS),
    ...describeAll('perturbations', PERTURBATIONS),
    ...describeAll('scenarios', START_WIDTHS),
    ...describeStart(seatCount),
    ...Array.from({ length: seatCount }, (_, seat) => describePartner(seat, seatCount)).flat(),
  ];
}

function valueAt(data: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], data);
}

/**
 * The number of a seat's partner that the seat's partner does not have: what it would be if a randomization range made
 * that seat scripted. Only `speed` matters to seats driven from outside, which move at full speed.
 */
function absentValue(path: string): number {
  return path.endsWith('.speed') ? PARTNER_NUMBERS.speed.default : 0;
}

/** The parameter vector of a simulator, shape [P]. @param simulator with every default written out */
export function compile(parameters: readonly Parameter[], simulator: SimulatorData): Float64Array {
  return Float64Array.from(parameters, ({ path, choices }) => {
    const value = valueAt(simulator, path);
    if (typeof value === 'number') return value;
    if (choices !== undefined) return Math.max(0, choices.indexOf(String(value)));
    return absentValue(path);
  });
}

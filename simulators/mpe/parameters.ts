import type { Parameter, SimulatorData } from '../contract.ts';
import {
  compileParameters,
  describeEntries,
  describeEntry,
  type NumberEntries,
  type NumberEntry,
} from '../number-entry.ts';
import { ACTION_BIAS } from '../scripted-partner.ts';

// The numbers that all worlds of MPE2 share. N seats, L landmarks.

/** None, left, right, down, up. */
export const ACTION_COUNT = 5;

export const MOTION_RULES = {
  damping: { default: 0.25, low: 0, high: 1, unit: '1', summary: 'Share of the velocity lost in a step.' },
  time_step: { default: 0.1, low: 0.01, high: 0.5, unit: 's', summary: 'Time that one step lasts.' },
} as const satisfies NumberEntries;

/** Of worlds whose bodies push one another away where they touch. */
export const WORLD_RULES = {
  ...MOTION_RULES,
  contact_force: { default: 100, low: 0, high: 1000, unit: 'mass/s²', summary: 'Stiffness of a contact.' },
  contact_margin: { default: 0.001, low: 0.0001, high: 0.1, unit: 'length', summary: 'Softness of a contact.' },
} as const satisfies NumberEntries;

export const PERTURBATIONS = {
  observation_noise: {
    default: 0,
    low: 0,
    high: 1,
    unit: 'length or length/s',
    summary: 'Standard deviation of the normal noise on every sensed number.',
  },
  dropped_observations: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that an agent sees nothing in a step: its whole observation is zeros.',
  },
  action_delay: {
    default: 0,
    low: 0,
    high: 10,
    unit: 'steps',
    integer: true,
    summary: 'Steps after which an action given from outside takes effect; agents idle until then.',
  },
  sticky_actions: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that an agent driven from outside repeats what it did the step before.',
  },
} as const satisfies NumberEntries;

export const START_POSITION = {
  default: 0,
  low: -3,
  high: 3,
  unit: 'length',
  summary: 'Where the start is, or its middle.',
};
export const START_VELOCITY = {
  default: 0,
  low: -10,
  high: 10,
  unit: 'length/s',
  summary: 'How fast the start is, or its middle.',
};

export type StartWidths = Readonly<
  Record<'agent_half_width' | 'velocity_half_width' | 'landmark_half_width', NumberEntry>
>;

/** Half widths of the uniform distributions about `scenarios.start` that a reset draws from; MPE2's are the defaults. */
export function startWidths(landmarkHalfWidth: number): StartWidths {
  return {
    agent_half_width: { default: 1, low: 0, high: 2, unit: 'length', summary: 'For agent positions.' },
    velocity_half_width: { default: 0, low: 0, high: 2, unit: 'length/s', summary: 'For agent velocities.' },
    landmark_half_width: {
      default: landmarkHalfWidth,
      low: 0,
      high: 2,
      unit: 'length',
      summary: 'For landmark positions.',
    },
  };
}

/** What every scripted partner has; see `partner-habits.ts`. */
export const PARTNER_NUMBERS = {
  epsilon: { default: 0, low: 0, high: 1, unit: '1', summary: 'Probability of a random action in a step.' },
  lateness: { default: 0, low: 0, high: 25, unit: 'steps', integer: true, summary: 'Idle steps at the start.' },
  speed: { default: 1, low: 0, high: 1, unit: '1', summary: 'Factor on the force of its moves and on its top speed.' },
} as const satisfies NumberEntries;

/** The start that scenarios are drawn about. */
export function describeStart(seatCount: number, landmarkCount: number): Parameter[] {
  const kinds = [
    { kind: 'agents', entry: START_POSITION, count: seatCount },
    { kind: 'velocities', entry: START_VELOCITY, count: seatCount },
    { kind: 'landmarks', entry: START_POSITION, count: landmarkCount },
  ];
  return kinds.flatMap(({ kind, entry, count }) =>
    Array.from({ length: count }, (_, index) =>
      [0, 1].map((axis) => describeEntry(`scenarios.start.${kind}.${index}.${axis}`, entry)),
    ).flat(),
  );
}

/** What the scripted partner on a seat can do. */
export interface PartnerMeans {
  /** Number of its actions. */
  readonly moveCount: number;
  /** Whether it moves about, so that it may do so more slowly. */
  readonly isMover: boolean;
}

/** Of everybody who has the five moves. */
export const MOVER: PartnerMeans = { moveCount: ACTION_COUNT, isMover: true };

/** What every scripted partner with these means has. */
function partnerNumbers({ isMover }: PartnerMeans) {
  const { speed, ...others } = PARTNER_NUMBERS;
  return isMover ? { ...others, speed } : others;
}

/** What the partner of a seat has whatever its policy, its name first. */
export function describePartner(seat: number, choices: readonly string[], means = MOVER): Parameter[] {
  const prefix = `partners.${seat}`;
  return [
    {
      path: `${prefix}.name`,
      kind: 'choice',
      low: 0,
      high: choices.length - 1,
      unit: '1',
      summary: 'Who holds the seat.',
      choices,
    },
    ...describeEntries(prefix, partnerNumbers(means)),
    ...Array.from({ length: means.moveCount }, (_, action) =>
      describeEntry(`${prefix}.action_bias.${action}`, ACTION_BIAS),
    ),
  ];
}

/**
 * The parameter vector of a simulator. A number of a partner that is not there is what it would be if a randomization
 * range made that seat scripted; only `speed` matters to seats driven from outside, which move at full speed.
 * @param absent what else a number is that the simulator does not have, by its path; 0 where nothing is said
 */
export function compile(
  parameters: readonly Parameter[],
  simulator: SimulatorData,
  absent: Readonly<Record<string, number>> = {},
): Float64Array {
  return compileParameters(parameters, simulator, (path) => {
    if (path.endsWith('.speed')) return PARTNER_NUMBERS.speed.default;
    return path.includes('.action_bias.') ? ACTION_BIAS.default : (absent[path] ?? 0);
  });
}

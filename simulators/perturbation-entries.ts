import type { NumberEntries } from './number-entry.ts';

/** What comes between the players and a world of cells, where noise on observations would be rounded away. */
export const PERTURBATIONS = {
  dropped_observations: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that a player sees nothing in a step, not even itself.',
  },
  sticky_actions: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that a seat driven from outside repeats its action before.',
  },
  action_delay: {
    default: 0,
    low: 0,
    high: 10,
    unit: 'steps',
    integer: true,
    summary: 'Steps after which an action given from outside takes effect; players idle until then.',
  },
} as const satisfies NumberEntries;

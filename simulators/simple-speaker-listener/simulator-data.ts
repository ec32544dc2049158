import { z } from 'zod';
import type { World } from '../contract.ts';
import { createSimulatorSchema, createStartSchema } from '../mpe/simulator-data.ts';
import { boundedNumber } from '../number-entry.ts';
import { SYMBOL_COUNT } from './code-books.ts';
import {
  CHANNEL,
  GOAL,
  GOAL_WEIGHT,
  LANDMARK_COUNT,
  MOVE_COUNTS,
  REWARDS,
  RULES,
  SEAT_COUNT,
  SPEAKER,
  START_WIDTHS,
} from './parameters.ts';
import { listenerPartnerSchema, speakerPartnerSchema } from './scripted-partner.ts';

const goal = boundedNumber(GOAL).optional().describe(`${GOAL.summary} Left out: one is drawn for each episode.`);

const goal_weights = z
  .array(boundedNumber(GOAL_WEIGHT))
  .length(LANDMARK_COUNT)
  .refine((weights) => weights.some((weight) => weight > 0), {
    error: 'at least one weight above 0; otherwise no landmark can be the goal',
  })
  .default(() => new Array<number>(LANDMARK_COUNT).fill(GOAL_WEIGHT.default))
  .describe('How often each landmark is the goal where it is drawn.');

/** Schema of one simulator. */
export function simulatorSchema(): World['simulatorSchema'] {
  const speaker = speakerPartnerSchema();
  const listener = listenerPartnerSchema();
  return createSimulatorSchema({
    seatCount: SEAT_COUNT,
    landmarkCount: LANDMARK_COUNT,
    scriptedPartner: (seat): typeof speaker | typeof listener => (seat === SPEAKER ? speaker : listener),
    rules: RULES,
    rewards: REWARDS,
    startWidths: START_WIDTHS,
    perturbations: CHANNEL,
    start: { goal },
    scenarios: { goal_weights },
  }) as World['simulatorSchema'];
}

/** Schema of a start, and of everything that a state tells. */
export function startSchema() {
  return createStartSchema({
    seatCount: SEAT_COUNT,
    landmarkCount: LANDMARK_COUNT,
    isContinuous: false,
    moveCounts: MOVE_COUNTS,
  }).extend({
    goal,
    heard: z
      .array(z.number())
      .length(SYMBOL_COUNT)
      .default(() => new Array<number>(SYMBOL_COUNT).fill(0))
      .describe('The numbers that the listener hears, one for each symbol.'),
  });
}

import { z } from 'zod';
import { boundedNumber, type NumberEntries, type NumberEntry, shapeOfEntries } from '../number-entry.ts';
import {
  MOVER,
  PARTNER_NUMBERS,
  PERTURBATIONS,
  START_POSITION,
  START_VELOCITY,
  type StartWidths,
} from './parameters.ts';
import { createMoves, moveSize, tellActions, type ToldAction, toldActionSchema } from './moves.ts';
import { OUTSIDE_PARTNERS } from '../outside-partners.ts';
import { ACTION_BIAS } from '../scripted-partner.ts';
import { SIMULATOR_PART_WORDS } from '../simulator-part-words.ts';

// N seats, L landmarks.

/** What is special about the simulators of a family. */
export interface SimulatorShape<Scripted extends z.core.$ZodTypeDiscriminable> {
  readonly seatCount: number;
  readonly landmarkCount: number;
  /** Schema of the scripted partner of a seat, discriminated by `name`. */
  readonly scriptedPartner: (seat: number) => Scripted;
  readonly rules: NumberEntries;
  readonly rewards: NumberEntries;
  readonly startWidths: StartWidths;
  /** Beside those of every world of MPE2. */
  readonly perturbations?: NumberEntries;
  /** What a start, and what scenarios say beside places and velocities. */
  readonly start?: z.ZodRawShape;
  readonly scenarios?: z.ZodRawShape;
}

/** What is special about the starts of a world. */
export interface StartShape {
  readonly seatCount: number;
  readonly landmarkCount: number;
  readonly isContinuous: boolean;
  /** Shape [N]: number of moves of each seat; five each where it is left out. */
  readonly moveCounts?: readonly number[];
}

function pairs(entry: NumberEntry, count: number) {
  return z.array(z.tuple([boundedNumber(entry), boundedNumber(entry)])).length(count);
}

function zeroPairs(count: number): [number, number][] {
  return Array.from({ length: count }, () => [0, 0]);
}

/** Pairs [x, y] of N agents and L landmarks; velocities are 0 when left out. */
function startShape(seatCount: number, landmarkCount: number) {
  return {
    agents: pairs(START_POSITION, seatCount).describe('Place [x, y] of each agent.'),
    velocities: pairs(START_VELOCITY, seatCount)
      .default(() => zeroPairs(seatCount))
      .describe('Velocity [x, y] of each agent.'),
    landmarks: pairs(START_POSITION, landmarkCount).describe('Place [x, y] of each landmark.'),
  };
}

/**
 * The keys of every scripted partner, and the epsilon of all but `random`, for whom it would change nothing.
 */
export function partnerShape() {
  const { speed } = shapeOfEntries(PARTNER_NUMBERS);
  const { common, epsilon } = stillPartnerShape(MOVER.moveCount, 'none, left, right, down, up');
  const { action_bias, ...others } = common;
  return { common: { ...others, speed, action_bias }, epsilon };
}

/** The same of one that does not move about. @param actions what its actions are, in words */
export function stillPartnerShape(actionCount: number, actions: string) {
  const { epsilon, lateness } = shapeOfEntries(PARTNER_NUMBERS);
  const action_bias = z
    .array(boundedNumber(ACTION_BIAS))
    .length(actionCount)
    .default(() => Array.from({ length: actionCount }, () => ACTION_BIAS.default))
    .describe(`Weights of its random actions: ${actions}.`);
  return { common: { kind: z.literal('scripted'), lateness, action_bias }, epsilon };
}

function partnersSchema<Scripted extends z.core.$ZodTypeDiscriminable>(shape: SimulatorShape<Scripted>) {
  const { seatCount, scriptedPartner } = shape;
  const partner = (seat: number) => z.discriminatedUnion('kind', [scriptedPartner(seat), ...OUTSIDE_PARTNERS]);
  const seats = Array.from({ length: seatCount }, (_, seat) => [
    String(seat),
    partner(seat).optional().describe(SIMULATOR_PART_WORDS.partner),
  ]);
  return z.strictObject(Object.fromEntries(seats) as Record<string, z.ZodOptional<ReturnType<typeof partner>>>, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `There is no seat ${keys.join(', ')}; seats are 0 … ${seatCount - 1}` : undefined,
  });
}

/**
 * Where episodes start: uniform about `start` with the half widths given. Without a start it is the origin with the half
 * widths of MPE2; with a start the half widths are 0, unless given, so that a start alone means exactly that start.
 */
function scenariosSchema(shape: SimulatorShape<z.core.$ZodTypeDiscriminable>) {
  const { seatCount, landmarkCount, startWidths: widths } = shape;
  const start = z.strictObject({ ...startShape(seatCount, landmarkCount), ...shape.start });
  const given = {
    agent_half_width: boundedNumber(widths.agent_half_width).optional(),
    velocity_half_width: boundedNumber(widths.velocity_half_width).optional(),
    landmark_half_width: boundedNumber(widths.landmark_half_width).optional(),
  };
  return z
    .strictObject({ start: start.optional().describe(SIMULATOR_PART_WORDS.start), ...given, ...shape.scenarios })
    .transform((scenario) => ({
      ...scenario,
      start: scenario.start ?? {
        agents: zeroPairs(seatCount),
        velocities: zeroPairs(seatCount),
        landmarks: zeroPairs(landmarkCount),
      },
      agent_half_width: scenario.agent_half_width ?? (scenario.start ? 0 : widths.agent_half_width.default),
      velocity_half_width: scenario.velocity_half_width ?? widths.velocity_half_width.default,
      landmark_half_width: scenario.landmark_half_width ?? (scenario.start ? 0 : widths.landmark_half_width.default),
    }));
}

/** Schema of one simulator; parsing its own output gives the same again. */
export function createSimulatorSchema<Scripted extends z.core.$ZodTypeDiscriminable>(shape: SimulatorShape<Scripted>) {
  return z.strictObject({
    partners: partnersSchema(shape).prefault({}).describe(SIMULATOR_PART_WORDS.partners),
    rules: z.strictObject(shapeOfEntries(shape.rules)).prefault({}).describe(SIMULATOR_PART_WORDS.rules),
    scenarios: scenariosSchema(shape).prefault({}).describe(SIMULATOR_PART_WORDS.scenarios),
    rewards: z.strictObject(shapeOfEntries(shape.rewards)).prefault({}).describe(SIMULATOR_PART_WORDS.rewards),
    perturbations: z
      .strictObject(shapeOfEntries({ ...PERTURBATIONS, ...shape.perturbations }))
      .prefault({})
      .describe(SIMULATOR_PART_WORDS.perturbations),
  });
}

/** Schema of a start, and of everything `state` tells: enough to go on from the middle of an episode. */
export function createStartSchema({ seatCount, landmarkCount, isContinuous, moveCounts }: StartShape) {
  const each = Array.from({ length: seatCount }, (_, seat) =>
    toldActionSchema(isContinuous, moveCounts?.[seat] ?? MOVER.moveCount),
  );
  const jointAction = z.tuple(each as [z.ZodType<ToldAction>]) as unknown as z.ZodType<ToldAction[]>;
  return z.strictObject({
    ...startShape(seatCount, landmarkCount),
    step: z.int().min(0).default(0).describe('Steps of the episode that are over.'),
    pending_actions: z
      .array(jointAction)
      .default([])
      .describe('Actions given but not yet in effect because of a delay, the oldest first.'),
    last_actions: jointAction
      .default(() => tellActions(createMoves(seatCount, isContinuous), 0, seatCount, moveSize(isContinuous)))
      .describe('Actions that took effect last, which sticky actions repeat.'),
  });
}

/** Output of `createStartSchema`. */
export type Start = z.output<ReturnType<typeof createStartSchema>>;

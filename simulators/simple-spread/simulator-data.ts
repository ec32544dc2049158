import { z } from 'zod';
import {
  PARTNER_NUMBERS,
  PARTNER_WEIGHTS,
  PERTURBATIONS,
  REWARDS,
  RULES,
  SCRIPTED_POLICIES,
  START_POSITION,
  START_VELOCITY,
  START_WIDTHS,
  type NumberEntry,
} from './parameters.ts';

type NumberSchema = z.ZodNumber;

function bounded(entry: NumberEntry): NumberSchema {
  const base = entry.integer ? z.int() : z.number();
  return base.min(entry.low).max(entry.high).describe(`${entry.summary} Unit: ${entry.unit}.`);
}

function shapeOf<Name extends string>(
  entries: Readonly<Record<Name, NumberEntry>>,
): Record<Name, z.ZodDefault<NumberSchema>> {
  const shape = Object.entries<NumberEntry>(entries).map(([name, entry]) => [
    name,
    bounded(entry).default(entry.default),
  ]);
  return Object.fromEntries(shape) as Record<Name, z.ZodDefault<NumberSchema>>;
}

function pairs(entry: NumberEntry, count: number) {
  return z.array(z.tuple([bounded(entry), bounded(entry)])).length(count);
}

/** Pairs [x, y] of N agents and N landmarks; velocities are 0 when left out. */
function startShape(seatCount: number) {
  const resting = (): [number, number][] => Array.from({ length: seatCount }, () => [0, 0]);
  return {
    agents: pairs(START_POSITION, seatCount),
    velocities: pairs(START_VELOCITY, seatCount).default(resting),
    landmarks: pairs(START_POSITION, seatCount),
  };
}

/** A partner of each scripted policy. `random` has no epsilon, because it would change nothing. */
function scriptedSchema(seatCount: number) {
  const { epsilon, lateness, speed } = shapeOf(PARTNER_NUMBERS);
  const kind = z.literal('scripted');
  const common = { epsilon, lateness, speed };
  const plain = SCRIPTED_POLICIES.filter(
    (name) => name !== 'random' && name !== 'fixed_landmark' && name !== 'weighted',
  );
  const landmark = z
    .int()
    .min(0)
    .max(seatCount - 1)
    .describe('Index of the landmark it goes to.');
  const weights = z.strictObject(shapeOf(PARTNER_WEIGHTS)).describe('It goes to the landmark with the largest sum.');
  return z.discriminatedUnion('name', [
    z.strictObject({ kind, name: z.enum(plain), ...common }),
    z.strictObject({ kind, name: z.literal('random'), lateness, speed }),
    z.strictObject({ kind, name: z.literal('fixed_landmark'), landmark, ...common }),
    z.strictObject({ kind, name: z.literal('weighted'), weights, ...common }),
  ]);
}

function partnersSchema(seatCount: number) {
  const partner = z.discriminatedUnion('kind', [
    scriptedSchema(seatCount),
    z.strictObject({ kind: z.literal('self') }).describe('The current policy, without gradient.'),
    z.strictObject({ kind: z.literal('policy'), file: z.string().min(1) }).describe('A policy kept in a file.'),
  ]);
  const seats = Array.from({ length: seatCount }, (_, seat) => [String(seat), partner.optional()]);
  return z.strictObject(Object.fromEntries(seats) as Record<string, z.ZodOptional<typeof partner>>, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `There is no seat ${keys.join(', ')}; seats are 0 … ${seatCount - 1}` : undefined,
  });
}

/**
 * Where episodes start: uniform about `start` with the half widths given. Without a start it is the origin with the half
 * widths of MPE2; with a start the half widths are 0, unless given, so that a start alone means exactly that start.
 */
function scenariosSchema(seatCount: number) {
  const start = z.strictObject(startShape(seatCount));
  const zeros = (): [number, number][] => Array.from({ length: seatCount }, () => [0, 0]);
  const widths = {
    agent_half_width: bounded(START_WIDTHS.agent_half_width).optional(),
    velocity_half_width: bounded(START_WIDTHS.velocity_half_width).optional(),
    landmark_half_width: bounded(START_WIDTHS.landmark_half_width).optional(),
  };
  return z.strictObject({ start: start.optional(), ...widths }).transform((given) => ({
    start: given.start ?? { agents: zeros(), velocities: zeros(), landmarks: zeros() },
    agent_half_width: given.agent_half_width ?? (given.start ? 0 : START_WIDTHS.agent_half_width.default),
    velocity_half_width: given.velocity_half_width ?? START_WIDTHS.velocity_half_width.default,
    landmark_half_width: given.landmark_half_width ?? (given.start ? 0 : START_WIDTHS.landmark_half_width.default),
  }));
}

/** Schema of one simulator with N seats; parsing its own output gives the same again. */
export function createSimulatorSchema(seatCount: number) {
  return z.strictObject({
    partners: partnersSchema(seatCount).prefault({}),
    rules: z.strictObject(shapeOf(RULES)).prefault({}),
    scenarios: scenariosSchema(seatCount).prefault({}),
    rewards: z.strictObject(shapeOf(REWARDS)).prefault({}),
    perturbations: z.strictObject(shapeOf(PERTURBATIONS)).prefault({}),
  });
}

/** Schema of a start, and of everything `state` tells: enough to go on from the middle of an episode. */
export function createStartSchema(seatCount: number) {
  const action = z.int().min(0).max(4);
  return z.strictObject({
    ...startShape(seatCount),
    step: z.int().min(0).default(0).describe('Steps of the episode that are over.'),
    pending_actions: z
      .array(z.array(action).length(seatCount))
      .default([])
      .describe('Actions given but not yet in effect because of a delay, the oldest first.'),
  });
}

/** Output of `createStartSchema`. */
export type Start = z.output<ReturnType<typeof createStartSchema>>;

import { z } from 'zod';
import type { SimulatorData } from '../contract.ts';
import { boundedNumber, shapeOfEntries } from '../number-entry.ts';
import { OUTSIDE_PARTNERS } from '../outside-partners.ts';
import { SIMULATOR_PART_WORDS } from '../simulator-part-words.ts';
import type { DescribedSeat } from './bridge.ts';
import { constantAction, EPSILON, type KnownRule, type KnownRules, PERTURBATIONS, START_SEED } from './parameters.ts';

// N seats, W numbers of an action.

function scriptedSchema(seat: DescribedSeat) {
  const kind = z.literal('scripted');
  const epsilon = boundedNumber(EPSILON).default(EPSILON.default);
  const { default: fallback, ...entry } = constantAction(seat);
  const action = boundedNumber({ ...entry, default: fallback }).default(fallback);
  return z.discriminatedUnion('name', [
    z.strictObject({ kind, name: z.literal('noop').describe(SIMULATOR_PART_WORDS.policy), epsilon }),
    z.strictObject({ kind, name: z.literal('random').describe(SIMULATOR_PART_WORDS.policy) }),
    z.strictObject({ kind, name: z.literal('constant').describe(SIMULATOR_PART_WORDS.policy), action, epsilon }),
  ]);
}

function partnersSchema(seats: readonly DescribedSeat[]) {
  const partner = (seat: DescribedSeat) => z.discriminatedUnion('kind', [scriptedSchema(seat), ...OUTSIDE_PARTNERS]);
  const shape: Record<string, z.ZodOptional<ReturnType<typeof partner>>> = {};
  seats.forEach((seat, index) => {
    shape[index] = partner(seat).optional().describe(`${seat.name}. ${SIMULATOR_PART_WORDS.partner}`);
  });
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `There is no seat ${keys.join(', ')}; seats are ${seats.map(({ name }, seat) => `${seat} (${name})`).join(', ')}`
        : undefined,
  });
}

function ruleSchema({ low, high, integer, choices, default: fallback, summary = '', unit = '1' }: KnownRule) {
  if (choices !== undefined)
    return z
      .literal([...choices])
      .default(fallback)
      .describe(summary);
  const entry = { low: low!, high: high!, unit, summary, default: fallback as number };
  return boundedNumber(integer === true ? { ...entry, integer } : entry).default(entry.default);
}

/** What somebody is told who writes another rule. */
const DECLARE_RULE =
  'If the environment has it, declare it in family_options.rules with "low" and "high" or "choices"; else remove the key.';

/** Schema of one simulator. The parts are those of every family; rewards are the environment's own. */
export function createSimulatorSchema(rules: KnownRules, seats: readonly DescribedSeat[]): z.ZodType<SimulatorData> {
  const start = z.strictObject({ seed: boundedNumber(START_SEED) });
  const ruleShape = Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, ruleSchema(rule)]));
  const schema = z.strictObject({
    partners: partnersSchema(seats).prefault({}).describe(SIMULATOR_PART_WORDS.partners),
    // An environment does not say within what limits its arguments make sense, so rules are what the options declare.
    rules: z.strictObject(ruleShape).meta({ $comment: DECLARE_RULE }).prefault({}).describe(SIMULATOR_PART_WORDS.rules),
    scenarios: z
      .strictObject({ start: start.optional().describe(SIMULATOR_PART_WORDS.start) })
      .prefault({})
      .describe(SIMULATOR_PART_WORDS.scenarios),
    rewards: z.strictObject({}).prefault({}).describe(SIMULATOR_PART_WORDS.rewards),
    perturbations: z
      .strictObject(shapeOfEntries(PERTURBATIONS))
      .prefault({})
      .describe(SIMULATOR_PART_WORDS.perturbations),
  });
  // Choices may be words, where simulators of other families have numbers alone; they are compiled by their place.
  return schema as unknown as z.ZodType<SimulatorData>;
}

/** A state as it is told: how the episode began, what was done since, and what seats see of it. */
export interface BridgedState {
  readonly seed: number;
  /** Joint actions since the start, shape [N W] each. */
  readonly actions: readonly (readonly number[])[];
  /** Shape [N][F]. */
  readonly features: readonly (readonly number[])[];
}

/** Schema of a start: an episode of that seed, after these joint actions. */
export function createStartSchema(actionNumbers: number, episodeSteps: number) {
  return z.object({
    seed: z.int().min(0).max(START_SEED.high).describe('Seed that the environment is reset with.'),
    actions: z
      .array(z.array(z.number()).length(actionNumbers))
      .max(episodeSteps)
      .default([])
      .describe('Joint actions that are played first, each with the numbers of all seats.'),
  });
}

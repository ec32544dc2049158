import { z } from 'zod';
import { partnerShape } from '../mpe/simulator-data.ts';
import { shapeOfEntries } from '../number-entry.ts';
import { foreignPolicyError } from '../scripted-partner.ts';
import { SIMULATOR_PART_WORDS } from '../simulator-part-words.ts';
import { PREY_WEIGHTS, SCRIPTED_POLICIES } from './parameters.ts';

/** Schema of the scripted partner on a seat of an adversary. */
export function adversaryPartnerSchema() {
  const { common, epsilon } = partnerShape();
  return z.discriminatedUnion(
    'name',
    [
      z.strictObject({
        name: z.enum(SCRIPTED_POLICIES.adversary).exclude(['random']).describe(SIMULATOR_PART_WORDS.policy),
        ...common,
        epsilon,
      }),
      z.strictObject({ name: z.literal('random').describe(SIMULATOR_PART_WORDS.policy), ...common }),
    ],
    { error: foreignPolicyError(SCRIPTED_POLICIES, 'adversary') },
  );
}

/** Schema of the scripted partner on a seat of a prey, a branch for each set of parameters that policies have. */
export function preyPartnerSchema() {
  const { common, epsilon } = partnerShape();
  const plain = z.enum(SCRIPTED_POLICIES.prey).exclude(['random', 'corner', 'weighted']);
  const corner = z
    .int()
    .min(0)
    .max(3)
    .describe('Which corner it runs to: 0 lower left, 1 lower right, 2 upper left, 3 upper right.');
  const weights = z.strictObject(shapeOfEntries(PREY_WEIGHTS)).describe('It moves along the weighted sum of these.');
  return z.discriminatedUnion(
    'name',
    [
      z.strictObject({ name: plain.describe(SIMULATOR_PART_WORDS.policy), ...common, epsilon }),
      z.strictObject({ name: z.literal('random').describe(SIMULATOR_PART_WORDS.policy), ...common }),
      z.strictObject({ name: z.literal('corner').describe(SIMULATOR_PART_WORDS.policy), corner, ...common, epsilon }),
      z.strictObject({
        name: z.literal('weighted').describe(SIMULATOR_PART_WORDS.policy),
        weights,
        ...common,
        epsilon,
      }),
    ],
    { error: foreignPolicyError(SCRIPTED_POLICIES, 'prey') },
  );
}

import { z } from 'zod';
import { partnerShape } from '../mpe/simulator-data.ts';
import { shapeOfEntries } from '../number-entry.ts';
import { SIMULATOR_PART_WORDS } from '../simulator-part-words.ts';
import { PARTNER_WEIGHTS, SCRIPTED_POLICIES } from './parameters.ts';

/** Schema of a scripted partner, a branch for each set of parameters that policies have. */
export function scriptedPartnerSchema(seatCount: number) {
  const { common, epsilon } = partnerShape();
  const plain = SCRIPTED_POLICIES.filter(
    (name) => name !== 'random' && name !== 'fixed_landmark' && name !== 'weighted',
  );
  const landmark = z
    .int()
    .min(0)
    .max(seatCount - 1)
    .describe('Index of the landmark it goes to.');
  const weights = z
    .strictObject(shapeOfEntries(PARTNER_WEIGHTS))
    .describe('It goes to the landmark with the largest sum.');
  return z.discriminatedUnion('name', [
    z.strictObject({ name: z.enum(plain).describe(SIMULATOR_PART_WORDS.policy), ...common, epsilon }),
    z.strictObject({ name: z.literal('random').describe(SIMULATOR_PART_WORDS.policy), ...common }),
    z.strictObject({
      name: z.literal('fixed_landmark').describe(SIMULATOR_PART_WORDS.policy),
      landmark,
      ...common,
      epsilon,
    }),
    z.strictObject({ name: z.literal('weighted').describe(SIMULATOR_PART_WORDS.policy), weights, ...common, epsilon }),
  ]);
}

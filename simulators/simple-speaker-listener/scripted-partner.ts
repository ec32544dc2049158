import { z } from 'zod';
import { partnerShape, stillPartnerShape } from '../mpe/simulator-data.ts';
import { boundedNumber } from '../number-entry.ts';
import { foreignPolicyError } from '../scripted-partner.ts';
import { SIMULATOR_PART_WORDS } from '../simulator-part-words.ts';
import { MEANS, PARTNER_CODE_BOOK, PARTNER_LANDMARK, SCRIPTED_POLICIES, SPEAKER } from './parameters.ts';

const randomName = z.literal('random').describe(SIMULATOR_PART_WORDS.policy);
const codeBookName = z.literal('code_book').describe(SIMULATOR_PART_WORDS.policy);
const code_book = boundedNumber(PARTNER_CODE_BOOK);
const landmark = boundedNumber(PARTNER_LANDMARK);

/** Schema of the scripted partner on the seat of the speaker, a branch for each set of parameters that policies have. */
export function speakerPartnerSchema() {
  const { common, epsilon } = stillPartnerShape(MEANS[SPEAKER]!.moveCount, 'the symbols 0, 1 and 2');
  const plain = z.enum(SCRIPTED_POLICIES.speaker).exclude(['random', 'code_book']);
  return z.discriminatedUnion(
    'name',
    [
      z.strictObject({ name: plain.describe(SIMULATOR_PART_WORDS.policy), ...common, epsilon }),
      z.strictObject({ name: randomName, ...common }),
      z.strictObject({ name: codeBookName, code_book, ...common, epsilon }),
    ],
    { error: foreignPolicyError(SCRIPTED_POLICIES, 'speaker') },
  );
}

/** Schema of the scripted partner on the seat of the listener, likewise. */
export function listenerPartnerSchema() {
  const { common, epsilon } = partnerShape();
  const plain = z.enum(SCRIPTED_POLICIES.listener).exclude(['random', 'code_book', 'fixed_landmark']);
  return z.discriminatedUnion(
    'name',
    [
      z.strictObject({ name: plain.describe(SIMULATOR_PART_WORDS.policy), ...common, epsilon }),
      z.strictObject({ name: randomName, ...common }),
      z.strictObject({ name: codeBookName, code_book, ...common, epsilon }),
      z.strictObject({
        name: z.literal('fixed_landmark').describe(SIMULATOR_PART_WORDS.policy),
        landmark,
        ...common,
        epsilon,
      }),
    ],
    { error: foreignPolicyError(SCRIPTED_POLICIES, 'listener') },
  );
}

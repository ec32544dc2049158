import { z } from 'zod';
import { partnerShape, stillPartnerShape } from '../mpe/simulator-data.ts';
import { boundedNumber } from '../number-entry.ts';
import { SIMULATOR_PART_WORDS } from '../simulator-part-words.ts';
import { MEANS, PARTNER_CODE_BOOK, PARTNER_LANDMARK, type Role, SCRIPTED_POLICIES, SPEAKER } from './parameters.ts';

/** Says of a policy of the other role that it does not belong here, and which do. */
function nameError(role: Role) {
  const other = role === 'speaker' ? 'listener' : 'speaker';
  return ({ input }: { readonly input?: unknown }): string | undefined => {
    const name = (input as { readonly name?: unknown } | undefined)?.name;
    if (!(SCRIPTED_POLICIES[other] as readonly unknown[]).includes(name)) return undefined;
    return `${String(name)} is a policy of the ${other}, this is the seat of the ${role}: ${SCRIPTED_POLICIES[role].join(', ')}`;
  };
}

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
      z.strictObject({ name: z.literal('random').describe(SIMULATOR_PART_WORDS.policy), ...common }),
      z.strictObject({
        name: z.literal('code_book').describe(SIMULATOR_PART_WORDS.policy),
        code_book,
        ...common,
        epsilon,
      }),
    ],
    { error: nameError('speaker') },
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
      z.strictObject({ name: z.literal('random').describe(SIMULATOR_PART_WORDS.policy), ...common }),
      z.strictObject({
        name: z.literal('code_book').describe(SIMULATOR_PART_WORDS.policy),
        code_book,
        ...common,
        epsilon,
      }),
      z.strictObject({
        name: z.literal('fixed_landmark').describe(SIMULATOR_PART_WORDS.policy),
        landmark,
        ...common,
        epsilon,
      }),
    ],
    { error: nameError('listener') },
  );
}

import { ThawError } from '../schemas/errors.ts';
import type { NumberEntry } from './number-entry.ts';

export const ACTION_BIAS: NumberEntry = {
  default: 1,
  low: 0,
  high: 1,
  unit: '1',
  summary: 'Weight of an action among the random ones.',
};

/** What stands for a seat in the parameter vector: an index into these, 0 for a seat that is driven from outside. */
export function partnerChoices<Policy extends string>(policies: readonly Policy[]): readonly ('external' | Policy)[] {
  return ['external', ...policies];
}

/** The name that a number in the parameter vector stands for. @throws DEFECT_INVARIANT for a number without one */
export function choiceAt<Choice extends string>(choices: readonly Choice[], code: number): Choice {
  const choice = choices[code];
  if (choice === undefined) throw new ThawError('DEFECT_INVARIANT', `no partner has the number ${code}`);
  return choice;
}

/**
 * Says of a name that belongs to another role that it does not belong here, and which do; to be the error of a schema
 * that is discriminated by `name`.
 */
export function foreignPolicyError<Role extends string>(
  policies: Readonly<Record<Role, readonly string[]>>,
  own: Role,
) {
  return ({ input }: { readonly input?: unknown }): string | undefined => {
    const name = String((input as { readonly name?: unknown } | undefined)?.name);
    const roles = Object.keys(policies) as Role[];
    const owner = roles.find((role) => policies[role].includes(name));
    if (owner === undefined || policies[own].includes(name)) return undefined;
    return `${name} is a policy of the ${owner}, this is a seat of the ${own}: ${policies[own].join(', ')}`;
  };
}

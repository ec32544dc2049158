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

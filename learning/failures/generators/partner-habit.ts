import type { SimulatorData } from '../../../simulators/contract.ts';
import { numberAt, setNumberAt } from '../../strategies/draw-simulator.ts';

// Letters: A actions.

/** What a scripted partner does at random. */
export interface PartnerHabit {
  readonly seat: number;
  /** Probability in each step that its action is drawn; 1 for a partner that does nothing else. */
  readonly epsilon: number;
  /** Shape [A], not negative, summing to 1: the probabilities of the actions that are drawn. */
  readonly bias: readonly number[];
}

/** A seat that a scripted partner with habits holds. */
export interface HabitSeat {
  readonly seat: number;
  /** A. */
  readonly actionCount: number;
  /** Null for a partner whose every action is drawn. */
  readonly epsilon: number | null;
}

/** Seats of scripted partners whose random actions can be biased, ascending. */
export function habitSeats(simulator: SimulatorData): HabitSeat[] {
  return Object.entries(simulator.partners).flatMap(([seat, partner]) => {
    const bias = (partner as { readonly action_bias?: readonly number[] }).action_bias;
    if (bias === undefined) return [];
    const epsilon = numberAt(simulator, `partners.${seat}.epsilon`) ?? null;
    return [{ seat: Number(seat), actionCount: bias.length, epsilon }];
  });
}

/** A copy of a simulator whose scripted partner has a habit; one whose every action is drawn has no epsilon to change. */
export function writeHabit(simulator: SimulatorData, { seat, epsilon, bias }: PartnerHabit): SimulatorData {
  const copy = structuredClone(simulator);
  const path = `partners.${seat}`;
  if (numberAt(copy, `${path}.epsilon`) !== undefined) setNumberAt(copy, `${path}.epsilon`, epsilon);
  for (const [action, weight] of bias.entries()) setNumberAt(copy, `${path}.action_bias.${action}`, weight);
  return copy;
}

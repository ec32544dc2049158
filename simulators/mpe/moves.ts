import { z } from 'zod';
import type { ActionArray, ActionSpace } from '../contract.ts';
import { ACTION_COUNT } from './parameters.ts';

// Letters: W numbers of an action: 1, or 5 with `continuous_actions`.

/** An action as data: the number of a move, or how much of each move, shape [W]. */
export type ToldAction = number | number[];

/** What everybody may do in a world of MPE2: one of the five moves, or something of each. */
export function moveSpace(isContinuous: boolean): ActionSpace {
  if (!isContinuous) return { kind: 'discrete', count: ACTION_COUNT };
  const all = (value: number): number[] => new Array<number>(ACTION_COUNT).fill(value);
  return { kind: 'box', low: all(0), high: all(1) };
}

/** `family_options` of every world of MPE2. */
export const continuousActionsSchema = z
  .boolean()
  .default(false)
  .describe(
    'Actions are boxes as in MPE2: five numbers from 0 to 1, of nothing, left, right, down and up. The push is right − ' +
      'left and up − down; scripted partners do their move in full.',
  );

/** W */
export function moveSize(isContinuous: boolean): number {
  return isContinuous ? ACTION_COUNT : 1;
}

/** Room for so many actions, all of which are to do nothing. */
export function createMoves(count: number, isContinuous: boolean): ActionArray {
  return isContinuous ? new Float32Array(count * ACTION_COUNT) : new Int32Array(count);
}

/** Writes a move, 0 … 4, as the action of an agent: its number, or the point where it alone is done, and in full. */
export function writeMove(move: number, actions: ActionArray, agent: number, actionSize: number): void {
  if (actionSize === 1) {
    actions[agent] = move;
    return;
  }
  const at = agent * actionSize;
  actions.fill(0, at, at + actionSize);
  actions[at + move] = 1;
}

/** Schema of one action as data. @param moveCount number of moves of the seat */
export function toldActionSchema(isContinuous: boolean, moveCount: number): z.ZodType<ToldAction> {
  if (isContinuous) return z.array(z.number().min(0).max(1)).length(ACTION_COUNT);
  return z
    .int()
    .min(0)
    .max(moveCount - 1);
}

/** As data, the joint action that begins at an index. @returns shape [N] */
export function tellActions(actions: ActionArray, first: number, seatCount: number, actionSize: number): ToldAction[] {
  return Array.from({ length: seatCount }, (_, seat) => {
    const at = first + seat * actionSize;
    return actionSize === 1 ? actions[at]! : Array.from(actions.subarray(at, at + actionSize));
  });
}

import { ThawError } from '../../schemas/errors.ts';
import type { ActionArray, ActionSpace } from '../../simulators/contract.ts';
import type { RandomStream } from '../../simulators/random.ts';
import { bestAction, Categorical } from './action-choice.ts';

// Letters: R rows, A actions of a discrete space, D numbers of a box.

/**
 * How the output of a policy is read as a distribution over the actions of a seat, and how an action of it is given to
 * the world. What is recorded is what was drawn; a world may be given something else (a box clips).
 */
export interface ActionHead {
  /** Numbers of a row of output: A logits; or D means, then D logarithms of deviations. */
  readonly outputSize: number;
  /** Numbers of an action: 1, its index; or D. */
  readonly actionSize: number;
  /**
   * Draws an action of a row.
   * @param outputs shape [R outputSize] @param actions written from `at` on
   * @returns its log probability (density), in nats
   */
  sample(outputs: Float32Array, row: number, random: RandomStream, actions: ActionArray, at: number): number;
  /** The most probable action of a row; of equals the first. @param actions written from `at` on */
  best(outputs: Float32Array, row: number, actions: ActionArray, at: number): void;
  /** Any action, all alike. @param actions written from `at` on, as the world takes them */
  any(random: RandomStream, actions: ActionArray, at: number): void;
  /** Writes an action that was drawn as the world takes it. */
  give(drawn: ActionArray, from: number, actions: ActionArray, to: number): void;
}

/** @throws DEFECT_INVARIANT for a box without numbers */
export function actionHead(space: ActionSpace): ActionHead {
  return space.kind === 'discrete' ? categoricalHead(space.count) : gaussianHead(space.low, space.high);
}

/** softmax(logits); a logit of −∞ is an action that is never drawn. */
function categoricalHead(count: number): ActionHead {
  const categorical = new Categorical(count);
  return {
    outputSize: count,
    actionSize: 1,
    sample(outputs, row, random, actions, at) {
      categorical.read(outputs, row);
      const action = categorical.draw(random.nextUniform());
      actions[at] = action;
      return categorical.logProbability(action);
    },
    best(outputs, row, actions, at) {
      actions[at] = bestAction(outputs, row, count);
    },
    any(random, actions, at) {
      actions[at] = random.nextInteger(count);
    },
    give(drawn, from, actions, to) {
      actions[to] = drawn[from]!;
    },
  };
}

const LOG_TWO_PI = Math.log(2 * Math.PI);

/**
 * Independent normal distributions. Drawn numbers u are those of the box scaled to [−1, 1] and are given clipped:
 * low + (high − low)·(clip(u, −1, 1) + 1)/2; the density is that of u before it is clipped.
 */
function gaussianHead(low: readonly number[], high: readonly number[]): ActionHead {
  const size = low.length;
  if (size === 0) throw new ThawError('DEFECT_INVARIANT', 'a box of actions has at least one number');
  return {
    outputSize: 2 * size,
    actionSize: size,
    sample(outputs, row, random, actions, at) {
      let density = 0;
      for (let index = 0; index < size; index += 1) {
        const mean = outputs[2 * size * row + index]!;
        const logDeviation = outputs[2 * size * row + size + index]!;
        const drawn = random.nextNormal();
        actions[at + index] = mean + Math.exp(logDeviation) * drawn;
        density -= 0.5 * drawn * drawn + logDeviation + 0.5 * LOG_TWO_PI;
      }
      return density;
    },
    best(outputs, row, actions, at) {
      for (let index = 0; index < size; index += 1) actions[at + index] = outputs[2 * size * row + index]!;
    },
    any(random, actions, at) {
      for (let index = 0; index < size; index += 1) {
        actions[at + index] = low[index]! + (high[index]! - low[index]!) * random.nextUniform();
      }
    },
    give(drawn, from, actions, to) {
      for (let index = 0; index < size; index += 1) {
        const clipped = Math.min(1, Math.max(-1, drawn[from + index]!));
        actions[to + index] = low[index]! + ((high[index]! - low[index]!) * (clipped + 1)) / 2;
      }
    },
  };
}

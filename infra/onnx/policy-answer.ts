import { ThawError } from '../../schemas/errors.ts';
import type { ActionSpace } from '../../simulators/contract.ts';
import type { AnswerPorts } from './policy-ports.ts';

// Letters: R rows, O outputs of a row as `actionHead` reads them, A discrete actions, D numbers of a box.

/** Elements of an output. */
export type Elements = Float32Array | BigInt64Array | Int32Array;

/** How what a model gives becomes rows that `actionHead` reads. */
export interface PolicyAnswer {
  /** By output: its elements of all rows, filled by every run. */
  readonly arrays: Readonly<Record<string, Elements>>;
  /**
   * Writes the rows.
   * @param logits shape [R O] @param masks shape [R A]: an index that is illegal acts as 0, as it would in the world
   * @throws REQUEST_CONFLICT when an index is no action
   */
  write(logits: Float32Array, masks: Uint8Array | null): void;
}

/** @param actions of the seats that it acts for @param name what errors call the policy */
export function createAnswer(answer: AnswerPorts, actions: ActionSpace, rowCount: number, name: string): PolicyAnswer {
  switch (answer.kind) {
    case 'logits':
      return logitsAnswer(answer.port.name, rowCount * countOf(actions));
    case 'index':
      return indexAnswer(answer.port, countOf(actions), rowCount, name);
    case 'numbers':
      return numbersAnswer(answer.port.name, boxOf(actions), rowCount);
    case 'gaussian':
      return gaussianAnswer(answer, boxOf(actions).low.length, rowCount);
  }
}

function countOf(actions: ActionSpace): number {
  if (actions.kind === 'discrete') return actions.count;
  throw new ThawError('DEFECT_INVARIANT', 'a policy of discrete actions was put on seats that have a box');
}

function boxOf(actions: ActionSpace): Extract<ActionSpace, { kind: 'box' }> {
  if (actions.kind === 'box') return actions;
  throw new ThawError('DEFECT_INVARIANT', 'a policy of a box was put on seats that have discrete actions');
}

function logitsAnswer(output: string, size: number): PolicyAnswer {
  const array = new Float32Array(size);
  return { arrays: { [output]: array }, write: (logits) => logits.set(array) };
}

/** What is certain has the logit 0, and everything else −∞. */
function indexAnswer(
  { name: output, type }: { name: string; type: string },
  count: number,
  rowCount: number,
  name: string,
): PolicyAnswer {
  const array = type === 'int64' ? new BigInt64Array(rowCount) : new Int32Array(rowCount);
  return {
    arrays: { [output]: array },
    write(logits, masks) {
      logits.fill(-Infinity);
      for (let row = 0; row < rowCount; row += 1) {
        const index = Number(array[row]);
        if (index < 0 || index >= count) {
          throw new ThawError('REQUEST_CONFLICT', `${name}: its output ${output} gave action ${index} of ${count}`, {
            remedy: `Actions are counted from 0 to ${count - 1}: export a policy of this world.`,
          });
        }
        const isIllegal = masks !== null && masks[row * count + index] === 0;
        logits[row * count + (isIllegal ? 0 : index)] = 0;
      }
    },
  };
}

/** Numbers as the world takes them are those of the box scaled to [−1, 1], and no others are possible. */
function numbersAnswer(
  output: string,
  { low, high }: { low: readonly number[]; high: readonly number[] },
  rowCount: number,
): PolicyAnswer {
  const size = low.length;
  const array = new Float32Array(rowCount * size);
  return {
    arrays: { [output]: array },
    write(logits) {
      logits.fill(-Infinity);
      for (let index = 0; index < array.length; index += 1) {
        const [row, number] = [Math.floor(index / size), index % size];
        const share = (array[index]! - low[number]!) / (high[number]! - low[number]!);
        logits[2 * row * size + number] = 2 * share - 1;
      }
    },
  };
}

function gaussianAnswer(
  { mean, logDeviation }: Extract<AnswerPorts, { kind: 'gaussian' }>,
  size: number,
  rowCount: number,
): PolicyAnswer {
  const means = new Float32Array(rowCount * size);
  const deviations = new Float32Array(rowCount * size).fill(-Infinity);
  return {
    arrays: { [mean.name]: means, ...(logDeviation !== null && { [logDeviation.name]: deviations }) },
    write(logits) {
      for (let row = 0; row < rowCount; row += 1) {
        logits.set(means.subarray(row * size, (row + 1) * size), 2 * row * size);
        logits.set(deviations.subarray(row * size, (row + 1) * size), (2 * row + 1) * size);
      }
    },
  };
}

import type { Expression } from '../../graph/expression.ts';
import { reshape, slice } from '../../graph/operators.ts';
import { actionHead } from '../../rollout/action-head.ts';
import type { PolicyDescription } from '../contract.ts';
import type { ProximalParameters } from './parameters.ts';

// Letters: S samples, M samples of a minibatch, A actions of a discrete space, D numbers of a box, K columns in all.

/** Numbers of a sample that one gather takes out of the block together, by what they are. */
const NAMES = ['advantage', 'valueTarget', 'logProbability', 'oldValue', 'keep', 'mask', 'action'] as const;

type ColumnName = (typeof NAMES)[number];

/**
 * Where each of them lies in a packed row: columns start ≤ k < end, null where there is none. `keep` is 0 where an episode
 * begins at the step.
 */
export type SampleColumns = Readonly<Record<ColumnName, { readonly start: number; readonly end: number } | null>> & {
  /** K */
  readonly count: number;
};

export function sampleColumns(
  { actions, isMasked }: Pick<PolicyDescription, 'actions' | 'isMasked'>,
  { value_clip: valueClip, recurrent }: Pick<ProximalParameters, 'value_clip' | 'recurrent'>,
): SampleColumns {
  const { outputSize, actionSize } = actionHead(actions);
  const sizes: Record<ColumnName, number> = {
    advantage: 1,
    valueTarget: 1,
    logProbability: 1,
    oldValue: valueClip === null ? 0 : 1,
    keep: recurrent === null ? 0 : 1,
    mask: isMasked ? outputSize : 0,
    action: actions.kind === 'box' ? actionSize : 0,
  };
  let count = 0;
  const columns = Object.fromEntries(
    NAMES.map((name) => {
      const start = count;
      count += sizes[name];
      return [name, count === start ? null : { start, end: count }];
    }),
  ) as Omit<SampleColumns, 'count'>;
  return { ...columns, count };
}

/** Some columns of packed rows, [M …]; null where there are none. @param packed shape [M K] */
export function columnsOf(packed: Expression, columns: SampleColumns, name: ColumnName): Expression | null {
  const found = columns[name];
  return found && slice(packed, 1, found.start, found.end);
}

/** A single column as a vector [M]; null where there is none. @param packed shape [M K] */
export function columnOf(packed: Expression, columns: SampleColumns, name: ColumnName): Expression | null {
  const found = columnsOf(packed, columns, name);
  return found && reshape(found, [packed.shape[0]!]);
}

import type { Results } from '../../contract/results.ts';
import type { Decoded } from '../api/decoded.ts';
import { heatLook, shareOf, type Extent } from '../parts/heat.ts';
import { Link } from '../parts/link.tsx';
import { stateText } from '../parts/run-state.ts';
import { StateMark } from '../parts/state-mark.tsx';

export type Cell = Decoded<Results>['cells'][number];

interface ResultCellProps {
  /** Undefined where the variant has no run of this seed. */
  readonly cell: Cell | undefined;
  readonly extent: Extent | null;
  /** Writes a value as the others are written. */
  readonly text: (value: number | null) => string;
  /** The one cell that Tab leads to; arrow keys lead to the others. */
  readonly isFirst: boolean;
}

/** A run's value, or its state where it has none. */
export function ResultCell({ cell, extent, text, isFirst }: ResultCellProps) {
  if (cell === undefined) return <td class="number heat-none">–</td>;
  const { run_id: id, value, state, verdict, reason, seed, variant } = cell;
  const { class: look, style } = heatLook(extent === null ? null : shareOf(value, extent));
  const title = [`${variant}, seed ${seed}: ${stateText(state)}`, verdict, reason]
    .filter((part) => part !== null)
    .join(' · ');
  return (
    <td class={`number ${look}`} style={style}>
      <Link to={`/runs/${encodeURIComponent(id)}`} class="cell" title={title} tabIndex={isFirst ? 0 : -1}>
        {value === null && state !== 'SUCCEEDED' ? <StateMark state={state} /> : text(value)}
      </Link>
    </td>
  );
}

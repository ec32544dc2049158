import type { ParameterColumns } from '../parameter-columns.ts';
import type { State } from './state.ts';

/**
 * What one seat can see: a square about it, cut off at the border of the field. Rows and columns are counted from the
 * corner of what is left of the square.
 *
 * Another player counts as visible when both its distances from that corner are 0 … 2 · sight. So a player near the top
 * or the left border sees other players farther than its sight, though not food; the package does the same.
 *
 * @source lbforaging 2.0.0, ForagingEnv.neighborhood, _transform_to_neighborhood, _make_obs
 */
export class Sight {
  /** First row and column of the window. */
  top = 0;
  left = 0;
  private bottom = 0;
  private right = 0;
  private reach = 0;
  private readonly state: State;
  private readonly sight: Float64Array;

  constructor(state: State, columns: ParameterColumns) {
    this.state = state;
    this.sight = columns.column('rules.sight');
  }

  /** Looks through the eyes of a seat from now on. */
  lookFrom(environment: number, seat: number): void {
    const { seatCount, cell, rowOf, columnOf, size } = this.state;
    const sight = this.sight[environment]!;
    const at = cell[environment * seatCount + seat]!;
    const row = rowOf[at]!;
    const column = columnOf[at]!;
    this.top = Math.max(row - sight, 0);
    this.left = Math.max(column - sight, 0);
    this.bottom = Math.min(row + sight, size - 1);
    this.right = Math.min(column + sight, size - 1);
    this.reach = 2 * sight;
  }

  seesFood(cell: number): boolean {
    const row = this.state.rowOf[cell]!;
    const column = this.state.columnOf[cell]!;
    return row >= this.top && row <= this.bottom && column >= this.left && column <= this.right;
  }

  seesPlayer(cell: number): boolean {
    const down = this.state.rowOf[cell]! - this.top;
    const across = this.state.columnOf[cell]! - this.left;
    return down >= 0 && down <= this.reach && across >= 0 && across <= this.reach;
  }
}

import type { Chance } from '../chance.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { ACTION, isLegal, type State } from './state.ts';

/**
 * Moves of one step, all at once. Everybody has a goal: the cell a legal move leads to, the own cell otherwise. Who is
 * alone in having a goal gets there; where two or more have the same goal, none of them moves.
 *
 * So players may change places, and one may enter the cell of another who fails to leave it; then they share the cell.
 *
 * @source lbforaging 2.0.0, ForagingEnv.step
 */
export class Movement {
  private readonly state: State;
  private readonly chance: Chance;
  private readonly success: Float64Array;
  /** Shape [N]: goals in the environment that is moved. */
  private readonly goal: Int32Array;

  constructor(state: State, columns: ParameterColumns, chance: Chance) {
    this.state = state;
    this.chance = chance;
    this.success = columns.column('rules.move_success');
    this.goal = new Int32Array(state.seatCount);
  }

  /** Turns illegal actions into `none`, then moves the players of every environment. */
  advance(): void {
    const { environmentCount, seatCount, action } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      for (let seat = 0; seat < seatCount; seat += 1) {
        const player = environment * seatCount + seat;
        if (!isLegal(this.state, environment, seat, action[player]!)) action[player] = ACTION.none;
        this.goal[seat] = this.goalOf(environment, seat);
      }
      this.move(environment);
    }
  }

  private goalOf(environment: number, seat: number): number {
    const { seatCount, cell, action, offsetOf } = this.state;
    const player = environment * seatCount + seat;
    const offset = offsetOf[action[player]!]!;
    if (offset === 0) return cell[player]!;
    const success = this.success[environment]!;
    const isLost = success < 1 && this.chance.ofMove(environment, seat) >= success;
    return isLost ? cell[player]! : cell[player]! + offset;
  }

  private move(environment: number): void {
    const { seatCount, cell } = this.state;
    const { goal } = this;
    for (let seat = 0; seat < seatCount; seat += 1) {
      let isAlone = true;
      for (let other = 0; other < seatCount; other += 1) {
        if (other !== seat && goal[other] === goal[seat]) isAlone = false;
      }
      if (isAlone) cell[environment * seatCount + seat] = goal[seat]!;
    }
  }
}

import type { Chance } from '../chance.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { TERRAIN } from './floor-plan.ts';
import { ACTION, SEATS, type State, terrainAt } from './state.ts';

/**
 * Moves of one step, both at once. A move turns the cook, and leads to the next cell if that is floor. If both would end
 * in one cell, or would change places, neither leaves its own; both have turned all the same. A cook may enter the cell
 * that the other leaves. A lost move does not even turn.
 *
 * @source overcooked-ai 1.1.0, OvercookedGridworld.resolve_movement, is_transition_collision
 */
export class Movement {
  private readonly state: State;
  private readonly chance: Chance;
  private readonly success: Float64Array;

  constructor(state: State, columns: ParameterColumns, chance: Chance) {
    this.state = state;
    this.chance = chance;
    this.success = columns.column('rules.move_success');
  }

  /** Moves the cooks of every environment. */
  advance(): void {
    const { environmentCount, cell } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const first = environment * SEATS;
      const second = first + 1;
      const firstGoal = this.turn(environment, first);
      const secondGoal = this.turn(environment, second);
      const changePlaces = firstGoal === cell[second] && secondGoal === cell[first];
      if (firstGoal === secondGoal || changePlaces) continue;
      cell[first] = firstGoal;
      cell[second] = secondGoal;
    }
  }

  /** @returns the cell where the cook would be if it were alone */
  private turn(environment: number, cook: number): number {
    const { cell, facing, action, offsetOf } = this.state;
    const here = cell[cook]!;
    const chosen = action[cook]!;
    if (chosen === ACTION.stay || chosen === ACTION.interact) return here;
    const success = this.success[environment]!;
    if (success < 1 && this.chance.ofMove(environment, cook % SEATS) >= success) return here;
    facing[cook] = chosen - 1;
    const goal = here + offsetOf[chosen - 1]!;
    return terrainAt(this.state, environment, goal) === TERRAIN.floor ? goal : here;
  }
}

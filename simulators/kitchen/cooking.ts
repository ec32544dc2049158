import type { ParameterColumns } from '../parameter-columns.ts';
import { isReady } from './interactions.ts';
import { INGREDIENTS_MAX, ONIONS_IN, TOMATOES_IN } from './items.ts';
import { COLD, LIT, type State } from './state.ts';
import type { Worth } from './worth.ts';

/**
 * What pots do by themselves, after the moves: soups that cook and are not ready cook one step more; with `auto_cook` a
 * full pot turns itself on before.
 *
 * @source overcooked-ai 1.1.0, OvercookedGridworld.step_environment_effects
 */
export class Cooking {
  private readonly state: State;
  private readonly worth: Worth;
  private readonly auto: Float64Array;

  constructor(state: State, columns: ParameterColumns, worth: Worth) {
    this.state = state;
    this.worth = worth;
    this.auto = columns.column('rules.auto_cook');
  }

  advance(): void {
    const { environmentCount, plan, layout, item, cooking } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const first = environment * plan.cellCount;
      for (const cell of plan.pots[layout[environment]!]!) {
        const at = first + cell;
        if (cooking[at] === COLD) {
          const soup = item[at]!;
          const isFull = ONIONS_IN[soup]! + TOMATOES_IN[soup]! === INGREDIENTS_MAX;
          if (!isFull || this.auto[environment] === 0) continue;
          cooking[at] = LIT;
        }
        if (!isReady(this.state, this.worth, environment, at)) cooking[at]! += 1;
      }
    }
  }
}

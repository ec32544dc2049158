import type { StateFeature } from '../contract.ts';
import type { FloorPlan } from './floor-plan.ts';
import { FIRST_SOUP, INGREDIENTS_MAX, ONIONS_IN, TOMATOES_IN } from './items.ts';
import { SEATS, type State } from './state.ts';

/** What histograms of visited states are made of; each whole number has its own bin. */
export function stateFeatures({ rowCount, stride }: FloorPlan): readonly StateFeature[] {
  const counted = (name: string, most: number): StateFeature => ({
    name,
    low: -0.5,
    high: most + 0.5,
    bins: most + 1,
  });
  return [
    counted('row', rowCount - 1),
    counted('column', stride - 1),
    counted('holds', FIRST_SOUP),
    counted('cells_apart', rowCount + stride - 2),
    { name: 'pots_filled', low: 0, high: 1, bins: 10 },
  ];
}

export class FeatureObserver {
  private readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  /** @param out shape [B 2 F], features in the order of `stateFeatures` */
  observe(out: Float64Array): void {
    const { environmentCount, cell, held, plan } = this.state;
    const { stride } = plan;
    let next = 0;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const first = environment * SEATS;
      const [one, other] = [cell[first]!, cell[first + 1]!];
      const down = Math.abs(Math.floor(one / stride) - Math.floor(other / stride));
      const apart = down + Math.abs((one % stride) - (other % stride));
      const filled = this.potsFilled(environment);
      for (let cook = first; cook < first + SEATS; cook += 1) {
        out[next++] = Math.floor(cell[cook]! / stride);
        out[next++] = cell[cook]! % stride;
        out[next++] = Math.min(held[cook]!, FIRST_SOUP);
        out[next++] = apart;
        out[next++] = filled;
      }
    }
  }

  /** Ingredients in pots, as a share of what fits. */
  private potsFilled(environment: number): number {
    const { plan, layout, item } = this.state;
    const pots = plan.pots[layout[environment]!]!;
    let ingredients = 0;
    for (const cell of pots) {
      const soup = item[environment * plan.cellCount + cell]!;
      ingredients += ONIONS_IN[soup]! + TOMATOES_IN[soup]!;
    }
    return ingredients / (INGREDIENTS_MAX * pots.length);
  }
}

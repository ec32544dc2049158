import type { StateFeature } from '../contract.ts';
import type { State } from './state.ts';

/** What histograms of visited states are made of; each whole number of cells has its own bin. */
export function stateFeatures(size: number): readonly StateFeature[] {
  const along = { low: -0.5, high: size - 0.5, bins: size };
  const apart = { low: -0.5, high: 2 * size - 1.5, bins: 2 * size - 1 };
  return [
    { name: 'row', ...along },
    { name: 'column', ...along },
    { name: 'food_left', low: 0, high: 1, bins: 10 },
    { name: 'nearest_food', ...apart },
    { name: 'nearest_player', ...apart },
  ];
}

/** Distances are steps of a player (rows plus columns); where there is no food, the longest there is. */
export class FeatureObserver {
  private readonly state: State;
  private readonly farthest: number;

  constructor(state: State) {
    this.state = state;
    this.farthest = 2 * (state.size - 1);
  }

  /** @param out shape [B N F], features in the order of `stateFeatures` */
  observe(out: Float64Array): void {
    const { environmentCount, seatCount, cell, rowOf, columnOf } = this.state;
    let next = 0;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const left = this.foodLeft(environment);
      for (let seat = 0; seat < seatCount; seat += 1) {
        const at = cell[environment * seatCount + seat]!;
        out[next++] = rowOf[at]!;
        out[next++] = columnOf[at]!;
        out[next++] = left;
        out[next++] = this.nearestFood(environment, at);
        out[next++] = this.nearestPlayer(environment, seat, at);
      }
    }
  }

  /** Sum of the levels of the food that is left, as a share of that at the start. */
  private foodLeft(environment: number): number {
    const { foodCount, foodLevel, spawned } = this.state;
    let left = 0;
    for (let item = environment * foodCount; item < (environment + 1) * foodCount; item += 1) left += foodLevel[item]!;
    return left === 0 ? 0 : left / spawned[environment]!;
  }

  private nearestFood(environment: number, at: number): number {
    const { foodCount, foodCell, foodLevel } = this.state;
    let nearest = this.farthest;
    for (let item = environment * foodCount; item < (environment + 1) * foodCount; item += 1) {
      if (foodLevel[item]! > 0) nearest = Math.min(nearest, this.steps(at, foodCell[item]!));
    }
    return nearest;
  }

  private nearestPlayer(environment: number, seat: number, at: number): number {
    const { seatCount, cell } = this.state;
    let nearest = this.farthest;
    for (let other = 0; other < seatCount; other += 1) {
      if (other !== seat) nearest = Math.min(nearest, this.steps(at, cell[environment * seatCount + other]!));
    }
    return nearest;
  }

  private steps(one: number, other: number): number {
    const { rowOf, columnOf } = this.state;
    return Math.abs(rowOf[one]! - rowOf[other]!) + Math.abs(columnOf[one]! - columnOf[other]!);
  }
}

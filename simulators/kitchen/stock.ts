import { TERRAIN, UNREACHED } from './floor-plan.ts';
import { isReady } from './interactions.ts';
import { isIngredient, isSoup, ITEM, ITEM_COUNT, ONIONS_IN, TOMATOES_IN, WITH_INGREDIENT } from './items.ts';
import { COLD, SEATS, type State, stepsBetween, terrainAt } from './state.ts';
import type { Worth } from './worth.ts';

/**
 * What a station may be wanted for. `stack` is where an item is taken from without end, `source` that or a counter on
 * which one lies; a pot is `lacking` an ingredient, or `complete` and not on, or on (`cooking`), or `ready`.
 */
export const WANTED = {
  stack: 0,
  source: 1,
  soupOnCounter: 2,
  emptyCounter: 3,
  sharedCounter: 4,
  serving: 5,
  anyPot: 6,
  lacking: 7,
  complete: 8,
  cooking: 9,
  ready: 10,
} as const;

/** How much farther a station seems whose only access is taken. */
const TAKEN_STEPS = 4;

export type Wanted = (typeof WANTED)[keyof typeof WANTED];

/** What there is in the kitchens, and what pots lack. */
export class Stock {
  private readonly state: State;
  private readonly worth: Worth;
  /** Shape [B ITEM_COUNT]: what is in a pot should become this. */
  private readonly goals: Uint8Array;

  constructor(state: State, worth: Worth) {
    this.state = state;
    this.worth = worth;
    this.goals = new Uint8Array(state.environmentCount * ITEM_COUNT);
  }

  /** Once the layout of an episode is known. */
  begin(environment: number): void {
    const stations = this.stationsOf(environment);
    const has = (ingredient: number): boolean =>
      stations.some((cell) => this.isStackOf(ingredient, terrainAt(this.state, environment, cell)));
    const first = environment * ITEM_COUNT;
    this.worth.fillGoals(environment, has, this.goals.subarray(first, first + ITEM_COUNT));
  }

  /**
   * The cell of the nearest station of a kind that a cook can reach, the first in reading order among equally near ones;
   * −1 where there is none.
   * @param item what is taken there, or what a pot lacks; of no meaning for other kinds
   */
  nearest(environment: number, seat: number, wanted: Wanted, item: number = ITEM.nothing): number {
    const here = this.state.cell[environment * SEATS + seat]!;
    let nearest = -1;
    let least: number = UNREACHED;
    for (const cell of this.stationsOf(environment)) {
      const steps = this.stepsTo(environment, seat, here, cell);
      if (steps >= least || !this.suits(environment, cell, wanted, item)) continue;
      nearest = cell;
      least = steps;
    }
    return nearest;
  }

  /** How many pots are on, or ready. @param seat whose reach counts; null for all pots */
  soupsUnderway(environment: number, seat: number | null): number {
    const { cooking, plan } = this.state;
    let count = 0;
    for (const cell of this.potsOf(environment)) {
      const isOn = cooking[environment * plan.cellCount + cell] !== COLD;
      if (isOn && (seat === null || this.reaches(environment, seat, cell))) count += 1;
    }
    return count;
  }

  /** How many of an ingredient pots lack that are not on. @param seat whose reach counts; null for all pots */
  lacking(environment: number, seat: number | null, ingredient: number): number {
    const { cooking, item, plan } = this.state;
    const amounts = ingredient === ITEM.onion ? ONIONS_IN : TOMATOES_IN;
    let count = 0;
    for (const cell of this.potsOf(environment)) {
      const at = environment * plan.cellCount + cell;
      if (cooking[at] !== COLD || (seat !== null && !this.reaches(environment, seat, cell))) continue;
      count += amounts[this.goalOf(environment, item[at]!)]! - amounts[item[at]!]!;
    }
    return count;
  }

  /** How many cooks carry an item. */
  carried(environment: number, item: number): number {
    const { held } = this.state;
    const first = environment * SEATS;
    return Number(held[first] === item) + Number(held[first + 1] === item);
  }

  /** How many counters that both cooks reach hold an item, or nothing. */
  onSharedCounters(environment: number, item: number): number {
    const { plan } = this.state;
    let count = 0;
    for (const cell of this.stationsOf(environment)) {
      if (this.state.item[environment * plan.cellCount + cell] !== item) continue;
      if (this.isSharedCounter(environment, cell)) count += 1;
    }
    return count;
  }

  /** As if a station were farther away while the other cook stands on the only cell that it can be used from. */
  private stepsTo(environment: number, seat: number, here: number, station: number): number {
    const { plan, layout, cell } = this.state;
    const steps = stepsBetween(this.state, environment, here, station);
    const access = plan.onlyAccess[layout[environment]! * plan.cellCount + station]!;
    const isTaken = access >= 0 && access === cell[environment * SEATS + 1 - seat];
    return isTaken && steps !== UNREACHED ? steps + TAKEN_STEPS : steps;
  }

  private suits(environment: number, cell: number, wanted: Wanted, wantedItem: number): boolean {
    const { item, cooking, plan } = this.state;
    const terrain = terrainAt(this.state, environment, cell);
    const at = environment * plan.cellCount + cell;
    const there = item[at]!;
    const isPot = terrain === TERRAIN.pot;
    switch (wanted) {
      case WANTED.stack:
        return this.isStackOf(wantedItem, terrain);
      case WANTED.source:
        return this.isStackOf(wantedItem, terrain) || (terrain === TERRAIN.counter && there === wantedItem);
      case WANTED.soupOnCounter:
        return terrain === TERRAIN.counter && isSoup(there);
      case WANTED.emptyCounter:
        return terrain === TERRAIN.counter && there === ITEM.nothing;
      case WANTED.sharedCounter:
        return there === ITEM.nothing && this.isSharedCounter(environment, cell);
      case WANTED.serving:
        return terrain === TERRAIN.serving;
      case WANTED.anyPot:
        return isPot;
      case WANTED.lacking:
        return isPot && cooking[at] === COLD && this.isLacking(environment, there, wantedItem);
      case WANTED.complete:
        return isPot && cooking[at] === COLD && there !== ITEM.nothing && this.goalOf(environment, there) === there;
      case WANTED.cooking:
        return isPot && cooking[at] !== COLD;
      case WANTED.ready:
        return isPot && isReady(this.state, this.worth, environment, at);
    }
  }

  private isLacking(environment: number, soup: number, ingredient: number): boolean {
    if (!isIngredient(ingredient) || WITH_INGREDIENT[soup]![ingredient] === ITEM.nothing) return false;
    const amounts = ingredient === ITEM.onion ? ONIONS_IN : TOMATOES_IN;
    return amounts[this.goalOf(environment, soup)]! > amounts[soup]!;
  }

  private isStackOf(item: number, terrain: number): boolean {
    if (item === ITEM.onion) return terrain === TERRAIN.onions;
    if (item === ITEM.tomato) return terrain === TERRAIN.tomatoes;
    return item === ITEM.dish && terrain === TERRAIN.dishes;
  }

  private isSharedCounter(environment: number, cell: number): boolean {
    if (terrainAt(this.state, environment, cell) !== TERRAIN.counter) return false;
    return this.reaches(environment, 0, cell) && this.reaches(environment, 1, cell);
  }

  private reaches(environment: number, seat: number, cell: number): boolean {
    const here = this.state.cell[environment * SEATS + seat]!;
    return stepsBetween(this.state, environment, here, cell) !== UNREACHED;
  }

  private goalOf(environment: number, soup: number): number {
    return this.goals[environment * ITEM_COUNT + soup]!;
  }

  private stationsOf(environment: number): Int32Array {
    return this.state.plan.stations[this.state.layout[environment]!]!;
  }

  private potsOf(environment: number): Int32Array {
    return this.state.plan.pots[this.state.layout[environment]!]!;
  }
}

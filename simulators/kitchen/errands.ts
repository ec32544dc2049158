import { isIngredient, isSoup, ITEM } from './items.ts';
import { SEATS, type State } from './state.ts';
import { type Stock, WANTED } from './stock.ts';

/** What a cook may be about: filling pots and turning them on; bringing dishes, and soups to where they are served. */
export interface Duties {
  readonly fills: boolean;
  readonly serves: boolean;
}

/** What `choose` says when there is nothing to do. */
export const NO_ERRAND = -1;

/**
 * What a cook should do next, as the cell of the station that it goes to and interacts with. What it carries goes on: a
 * soup to serving, an ingredient to the nearest pot that lacks it, a dish to the nearest soup that is ready or cooking.
 * With empty hands it
 * 1. turns on a pot that lacks nothing;
 * 2. takes a soup that lies on a counter;
 * 3. fetches a dish where fewer are carried than soups are ready or cooking;
 * 4. fetches an ingredient where pots lack more than are carried.
 * A cook who cannot reach a pot, or serving, puts what belongs there on a counter that both can reach, as far as it is
 * needed; one who carries what is of no use puts it down.
 *
 * What a pot lacks follows from the soup that is worth most among those that it may become; see `Worth.fillGoals`.
 */
export class Errands {
  private readonly state: State;
  private readonly stock: Stock;

  constructor(state: State, stock: Stock) {
    this.state = state;
    this.stock = stock;
  }

  /** @returns the cell of a station, or NO_ERRAND */
  choose(environment: number, seat: number, duties: Duties): number {
    const carried = this.state.held[environment * SEATS + seat]!;
    if (carried === ITEM.nothing) return this.fetch(environment, seat, duties);
    if (isSoup(carried)) return this.bringSoup(environment, seat, duties);
    if (isIngredient(carried)) return this.bringIngredient(environment, seat, duties, carried);
    return this.bringDish(environment, seat, duties);
  }

  private bringSoup(environment: number, seat: number, { serves }: Duties): number {
    const serving = serves ? this.stock.nearest(environment, seat, WANTED.serving) : NO_ERRAND;
    return serving >= 0 ? serving : this.handOver(environment, seat);
  }

  private bringIngredient(environment: number, seat: number, { fills, serves }: Duties, carried: number): number {
    const { stock } = this;
    if (!fills) return this.putDown(environment, seat);
    const pot = stock.nearest(environment, seat, WANTED.lacking, carried);
    if (pot >= 0) return pot;
    if (stock.nearest(environment, seat, WANTED.anyPot) < 0) return this.handOver(environment, seat);
    // A pot is turned on, and a dish is carried, with empty hands only.
    const isPotDue = stock.nearest(environment, seat, WANTED.complete) >= 0;
    const isDishDue = serves && stock.soupsUnderway(environment, seat) > stock.carried(environment, ITEM.dish);
    return isPotDue || isDishDue ? this.putDown(environment, seat) : NO_ERRAND;
  }

  private bringDish(environment: number, seat: number, { fills, serves }: Duties): number {
    const { stock } = this;
    if (!serves) return this.putDown(environment, seat);
    const ready = stock.nearest(environment, seat, WANTED.ready);
    if (ready >= 0) return ready;
    const cooking = stock.nearest(environment, seat, WANTED.cooking);
    if (cooking >= 0) return cooking;
    if (stock.nearest(environment, seat, WANTED.anyPot) < 0) return this.handOver(environment, seat);
    return fills ? this.putDown(environment, seat) : NO_ERRAND;
  }

  private fetch(environment: number, seat: number, { fills, serves }: Duties): number {
    const { stock } = this;
    const complete = fills ? stock.nearest(environment, seat, WANTED.complete) : NO_ERRAND;
    if (complete >= 0) return complete;
    if (serves && stock.nearest(environment, seat, WANTED.serving) >= 0) {
      const soup = stock.nearest(environment, seat, WANTED.soupOnCounter);
      if (soup >= 0) return soup;
    }
    if (stock.nearest(environment, seat, WANTED.anyPot) < 0) return this.supply(environment, seat, fills, serves);
    if (serves && stock.soupsUnderway(environment, seat) > stock.carried(environment, ITEM.dish)) {
      const dish = stock.nearest(environment, seat, WANTED.source, ITEM.dish);
      if (dish >= 0) return dish;
    }
    return fills ? this.fetchIngredient(environment, seat) : NO_ERRAND;
  }

  private fetchIngredient(environment: number, seat: number): number {
    const { stock } = this;
    for (let item: number = ITEM.onion; item <= ITEM.tomato; item += 1) {
      if (stock.lacking(environment, seat, item) <= stock.carried(environment, item)) continue;
      const source = stock.nearest(environment, seat, WANTED.source, item);
      if (source >= 0) return source;
    }
    return NO_ERRAND;
  }

  /** For one who cannot reach a pot: as much as is needed, and never so much that dishes find no room any more. */
  private supply(environment: number, seat: number, fills: boolean, serves: boolean): number {
    const { stock } = this;
    const isShort = (item: number, needed: number): boolean =>
      needed > stock.carried(environment, item) + stock.onSharedCounters(environment, item);
    const room = stock.onSharedCounters(environment, ITEM.nothing);
    if (serves && room > 0 && isShort(ITEM.dish, stock.soupsUnderway(environment, null))) {
      const dish = stock.nearest(environment, seat, WANTED.stack, ITEM.dish);
      if (dish >= 0) return dish;
    }
    if (!fills || room < 2) return NO_ERRAND;
    for (let item: number = ITEM.onion; item <= ITEM.tomato; item += 1) {
      if (!isShort(item, stock.lacking(environment, null, item))) continue;
      const stack = stock.nearest(environment, seat, WANTED.stack, item);
      if (stack >= 0) return stack;
    }
    return NO_ERRAND;
  }

  private handOver(environment: number, seat: number): number {
    const shared = this.stock.nearest(environment, seat, WANTED.sharedCounter);
    return shared >= 0 ? shared : this.putDown(environment, seat);
  }

  private putDown(environment: number, seat: number): number {
    return this.stock.nearest(environment, seat, WANTED.emptyCounter);
  }
}

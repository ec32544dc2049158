import type { Chance } from '../chance.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { TERRAIN } from './floor-plan.ts';
import { INGREDIENTS_MAX, isIngredient, isSoup, ITEM, ONIONS_IN, TOMATOES_IN, WITH_INGREDIENT } from './items.ts';
import { ACTION, COLD, LIT, SEATS, type State, terrainAt } from './state.ts';
import type { Worth } from './worth.ts';

/**
 * Interactions of one step, before the moves: first that of seat 0, then that of seat 1, each with what the cook faces.
 *
 * - counter: puts down what is carried, where nothing lies; takes what lies there with empty hands.
 * - onions, tomatoes, dishes: takes one, with empty hands. A dish pays `dish_pickup` when no dish lies on a counter and
 *   fewer cooks carry one than pots are cooking, ready or begun but not full, as the pots were before the step.
 * - pot: an ingredient goes in, up to three, until it cooks (`placement`); empty hands turn it on when something is in it;
 *   a dish takes the soup when it is ready (`soup_pickup`).
 * - serving: hands in a soup, which pays its worth.
 *
 * @source overcooked-ai 1.1.0, OvercookedGridworld.resolve_interacts, is_dish_pickup_useful, deliver_soup
 */
export class Interactions {
  private readonly state: State;
  private readonly chance: Chance;
  private readonly worth: Worth;
  private readonly success: Float64Array;
  private readonly shaping: Float64Array;
  private readonly placement: Float64Array;
  private readonly dishPickup: Float64Array;
  private readonly soupPickup: Float64Array;
  private readonly shared: Float64Array;
  /** Pots of the environment at hand that a dish is of use for, before anybody did anything. */
  private dishesWanted = 0;

  constructor(state: State, columns: ParameterColumns, chance: Chance, worth: Worth) {
    this.state = state;
    this.chance = chance;
    this.worth = worth;
    this.success = columns.column('rules.interact_success');
    this.shaping = columns.column('rewards.shaping');
    this.placement = columns.column('rewards.placement');
    this.dishPickup = columns.column('rewards.dish_pickup');
    this.soupPickup = columns.column('rewards.soup_pickup');
    this.shared = columns.column('rewards.shared');
  }

  /** @param rewards shape [B 2], filled */
  interact(rewards: Float64Array): void {
    const { environmentCount, action } = this.state;
    rewards.fill(0);
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const first = environment * SEATS;
      if (action[first] !== ACTION.interact && action[first + 1] !== ACTION.interact) continue;
      this.dishesWanted = this.potsUnderway(environment);
      for (let seat = 0; seat < SEATS; seat += 1) {
        if (action[first + seat] === ACTION.interact && !this.isLost(environment, seat)) {
          this.use(environment, seat, rewards);
        }
      }
    }
  }

  private isLost(environment: number, seat: number): boolean {
    const success = this.success[environment]!;
    return success < 1 && this.chance.ofDeed(environment, seat) >= success;
  }

  /** Pots that are cooking, ready, or begun but not full. */
  private potsUnderway(environment: number): number {
    const { plan, layout, item, cooking } = this.state;
    const first = environment * plan.cellCount;
    let count = 0;
    for (const cell of plan.pots[layout[environment]!]!) {
      const soup = item[first + cell]!;
      const isFull = ONIONS_IN[soup]! + TOMATOES_IN[soup]! === INGREDIENTS_MAX;
      if (soup !== ITEM.nothing && (cooking[first + cell] !== COLD || !isFull)) count += 1;
    }
    return count;
  }

  private use(environment: number, seat: number, rewards: Float64Array): void {
    const { cell, facing, held, offsetOf, plan } = this.state;
    const cook = environment * SEATS + seat;
    const faced = cell[cook]! + offsetOf[facing[cook]!]!;
    const at = environment * plan.cellCount + faced;
    const terrain = terrainAt(this.state, environment, faced);
    const hasEmptyHands = held[cook] === ITEM.nothing;
    if (terrain === TERRAIN.counter) this.useCounter(cook, at);
    else if (terrain === TERRAIN.pot) rewards[cook]! += this.usePot(environment, cook, at);
    else if (terrain === TERRAIN.serving) this.serve(environment, cook, rewards);
    else if (!hasEmptyHands) return;
    else if (terrain === TERRAIN.onions) held[cook] = ITEM.onion;
    else if (terrain === TERRAIN.tomatoes) held[cook] = ITEM.tomato;
    else if (terrain === TERRAIN.dishes) {
      if (this.isDishWanted(environment)) rewards[cook]! += this.paid(environment, this.dishPickup);
      held[cook] = ITEM.dish;
    }
  }

  private useCounter(cook: number, at: number): void {
    const { held, item } = this.state;
    const isEmpty = item[at] === ITEM.nothing;
    // Two things never change places.
    if (isEmpty === (held[cook] === ITEM.nothing)) return;
    const carried = held[cook]!;
    held[cook] = item[at]!;
    item[at] = carried;
  }

  /** @returns the reward */
  private usePot(environment: number, cook: number, at: number): number {
    const { held, item, cooking } = this.state;
    const carried = held[cook]!;
    const soup = item[at]!;
    if (carried === ITEM.nothing) {
      if (soup !== ITEM.nothing && cooking[at] === COLD) cooking[at] = LIT;
      return 0;
    }
    if (isIngredient(carried)) {
      const fuller = WITH_INGREDIENT[soup]![carried]!;
      if (cooking[at] !== COLD || fuller === ITEM.nothing) return 0;
      held[cook] = ITEM.nothing;
      item[at] = fuller;
      return this.paid(environment, this.placement);
    }
    if (carried !== ITEM.dish || !isReady(this.state, this.worth, environment, at)) return 0;
    held[cook] = soup;
    item[at] = ITEM.nothing;
    cooking[at] = COLD;
    return this.paid(environment, this.soupPickup);
  }

  private serve(environment: number, cook: number, rewards: Float64Array): void {
    const { held, soups } = this.state;
    const soup = held[cook]!;
    if (!isSoup(soup)) return;
    const worth = this.worth.of(environment, soup);
    const each = (this.shared[environment]! * worth) / SEATS;
    rewards[cook]! += worth - 2 * each;
    for (let seat = 0; seat < SEATS; seat += 1) rewards[environment * SEATS + seat]! += each;
    held[cook] = ITEM.nothing;
    if (worth > 0) soups[environment]! += 1;
  }

  private isDishWanted(environment: number): boolean {
    const { held, item, plan, layout } = this.state;
    let carried = 0;
    for (let seat = 0; seat < SEATS; seat += 1) {
      if (held[environment * SEATS + seat] === ITEM.dish) carried += 1;
    }
    if (carried >= this.dishesWanted) return false;
    const first = environment * plan.cellCount;
    for (const cell of plan.stations[layout[environment]!]!) if (item[first + cell] === ITEM.dish) return false;
    return true;
  }

  private paid(environment: number, weight: Float64Array): number {
    return this.shaping[environment]! * weight[environment]!;
  }
}

/** Whether the soup in a pot is done. @param at index into `state.item` */
export function isReady({ item, cooking }: State, worth: Worth, environment: number, at: number): boolean {
  return cooking[at] !== COLD && cooking[at]! - LIT >= worth.timeOf(environment, item[at]!);
}

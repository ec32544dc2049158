import type { ParameterColumns } from '../parameter-columns.ts';
import { ITEM, ITEM_COUNT, ITEM_NAMES, isSoup, ONIONS_IN, SOUP_NAMES, TOMATOES_IN, WITH_INGREDIENT } from './items.ts';

/** What soups are worth, and how long they cook, in every environment. */
export class Worth {
  /** By code of a soup, shape [B] each; of what is none, null. */
  private readonly worths: readonly (Float64Array | null)[];
  private readonly cookTime: Float64Array;
  private readonly onionTime: Float64Array;
  private readonly tomatoTime: Float64Array;

  constructor(columns: ParameterColumns) {
    const ofSoups = new Map(SOUP_NAMES.map((name) => [name as string, columns.column(`rewards.${name}`)]));
    this.worths = ITEM_NAMES.map((name) => ofSoups.get(name) ?? null);
    this.cookTime = columns.column('rules.cook_time');
    this.onionTime = columns.column('rules.onion_time');
    this.tomatoTime = columns.column('rules.tomato_time');
  }

  /** What serving a soup is worth. */
  of(environment: number, soup: number): number {
    return this.worths[soup]![environment]!;
  }

  /** Steps until a soup is ready, at least 1. */
  timeOf(environment: number, soup: number): number {
    const onions = ONIONS_IN[soup]! * this.onionTime[environment]!;
    return Math.max(1, this.cookTime[environment]! + onions + TOMATOES_IN[soup]! * this.tomatoTime[environment]!);
  }

  /**
   * Fills `goals`, shape [ITEM_COUNT], with the soup that is worth most among those that what is in a pot may become;
   * among equals the one that lacks least. What lacks nothing, or cannot become anything of worth, is its own goal,
   * except an empty pot.
   * @param has whether there are such ingredients, by their code
   */
  fillGoals(environment: number, has: (ingredient: number) => boolean, goals: Uint8Array): void {
    const ingredients = [ITEM.onion, ITEM.tomato].filter(has);
    // Soups of more ingredients have their goals first.
    const sizeOf = (code: number): number => ONIONS_IN[code]! + TOMATOES_IN[code]!;
    const pots = Array.from({ length: ITEM_COUNT }, (_, code) => code).filter((code) => isSoup(code) || code === 0);
    for (const code of pots.sort((one, other) => sizeOf(other) - sizeOf(one))) {
      let best = code;
      for (const ingredient of ingredients) {
        const fuller = WITH_INGREDIENT[code]![ingredient]!;
        if (fuller === ITEM.nothing) continue;
        const goal = goals[fuller]!;
        if (this.worthOrNone(environment, goal) > this.worthOrNone(environment, best)) best = goal;
      }
      goals[code] = best;
    }
  }

  private worthOrNone(environment: number, soup: number): number {
    return soup === ITEM.nothing ? 0 : this.of(environment, soup);
  }
}

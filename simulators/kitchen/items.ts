/** What there is to carry: two ingredients, dishes, and soups by what is in them. The place in the list is the item's code. */
export const ITEM_NAMES = [
  'nothing',
  'onion',
  'tomato',
  'dish',
  'soup_o',
  'soup_oo',
  'soup_ooo',
  'soup_t',
  'soup_ot',
  'soup_oot',
  'soup_tt',
  'soup_ott',
  'soup_ttt',
] as const;

export const ITEM = { nothing: 0, onion: 1, tomato: 2, dish: 3 } as const;
/** Code of the first soup; all after it are soups. */
export const FIRST_SOUP = 4;
export const ITEM_COUNT = ITEM_NAMES.length;
export const INGREDIENTS_MAX = 3;

/** Every soup by its name, in the order of the codes. */
export const SOUP_NAMES = ITEM_NAMES.slice(FIRST_SOUP) as readonly SoupName[];
export type SoupName = Extract<(typeof ITEM_NAMES)[number], `soup_${string}`>;

const countOf = (name: string, letter: string): number => name.replace('soup_', '').split(letter).length - 1;
const soupCounts = (letter: string): readonly number[] =>
  ITEM_NAMES.map((name) => (name.startsWith('soup_') ? countOf(name, letter) : 0));

/** By code, how many onions and tomatoes are in a soup; 0 for what is none. */
export const ONIONS_IN = soupCounts('o');
export const TOMATOES_IN = soupCounts('t');

/**
 * By [code of what is in a pot, code of an ingredient]: what is in it after adding that; `nothing` where it cannot be
 * added, because the pot is full.
 */
export const WITH_INGREDIENT: readonly (readonly number[])[] = ITEM_NAMES.map((_, code) =>
  [ITEM.nothing, ITEM.onion, ITEM.tomato].map((added) =>
    added === ITEM.nothing
      ? code
      : soupOf(ONIONS_IN[code]! + Number(added === ITEM.onion), TOMATOES_IN[code]! + Number(added === ITEM.tomato)),
  ),
);

/** The code of a soup; `nothing` where there is no soup of so many onions and tomatoes. */
export function soupOf(onions: number, tomatoes: number): number {
  const code = ITEM_NAMES.findIndex((_, at) => ONIONS_IN[at] === onions && TOMATOES_IN[at] === tomatoes);
  return onions + tomatoes === 0 ? ITEM.nothing : Math.max(ITEM.nothing, code);
}

export function isSoup(item: number): boolean {
  return item >= FIRST_SOUP;
}

export function isIngredient(item: number): boolean {
  return item === ITEM.onion || item === ITEM.tomato;
}

/** Goals, landmarks and symbols there are. @source MPE2: num_landmarks and World.dim_c of simple_speaker_listener */
export const SYMBOL_COUNT = 3;

/** The orders of three symbols by their number: entry k of one is the symbol that stands for k. */
export const CODE_BOOKS: readonly (readonly number[])[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** The same in words, for those who have to choose a number. */
export const CODE_BOOK_WORDS = CODE_BOOKS.map((book, index) => `${index} is ${book.join('')}`).join(', ');

/** What a symbol means under a code book. */
export function meaningOf(symbol: number, codeBook: number): number {
  return CODE_BOOKS[codeBook]!.indexOf(symbol);
}

/** The symbol that is heard best; −1 where nothing is. @param heard three numbers from an index on */
export function symbolHeard(heard: Float64Array, at: number): number {
  let best = -1;
  let loudest = 0;
  for (let symbol = 0; symbol < SYMBOL_COUNT; symbol += 1) {
    if (heard[at + symbol]! <= loudest) continue;
    best = symbol;
    loudest = heard[at + symbol]!;
  }
  return best;
}

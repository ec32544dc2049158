// B environments, N seats, M items of food, S rows and columns of the field, C = (S + 2)² cells with the wall around it.

/** What a cell of `field` holds beside levels of food. */
export const EMPTY = 0;
export const WALL = -1;

/** Actions in the order of the package. */
export const ACTION = { none: 0, north: 1, south: 2, west: 3, east: 4, load: 5 } as const;
export const ACTION_COUNT = 6;

/** Highest levels there may be; three players of the highest reach the highest of food. */
export const PLAYER_LEVEL_MAX = 10;
export const FOOD_LEVEL_MAX = 30;

/** The whole field of every environment as a struct of arrays. A cell is its index in the field with its wall. */
export interface State {
  readonly environmentCount: number;
  readonly seatCount: number;
  readonly foodCount: number;
  /** S. */
  readonly size: number;
  /** S + 2: cells from one row to the next. */
  readonly stride: number;
  /** Shape [C] each: row and column of a cell, 0 … S − 1 inside the wall. */
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;
  /** Shape [ACTION_COUNT]: cells from a player to where an action leads. */
  readonly offsetOf: Int32Array;
  /** Shape [B]: steps of the episode that are over. */
  readonly step: Int32Array;
  /** Shape [B N] each: where the players are, and their levels. Two players may come to share a cell. */
  readonly cell: Int32Array;
  readonly level: Int32Array;
  /** Shape [B C]: the level of the food in a cell, EMPTY or WALL. */
  readonly field: Int32Array;
  /** Shape [B M] each: the food in reading order, its level being 0 once it is eaten. */
  readonly foodCell: Int32Array;
  readonly foodLevel: Int32Array;
  /** Shape [B]: sum of the levels of all food at the start. */
  readonly spawned: Int32Array;
  /** Shape [B N]: the joint action of this step; what is not legal becomes `none`. */
  readonly action: Int32Array;
  /** Shape [B N]: 1 where the seat is driven from outside. */
  readonly external: Uint8Array;
}

export interface StateShape {
  readonly environmentCount: number;
  readonly seatCount: number;
  readonly foodCount: number;
  readonly size: number;
}

export function createState({ environmentCount, seatCount, foodCount, size }: StateShape): State {
  const stride = size + 2;
  const players = environmentCount * seatCount;
  const items = environmentCount * foodCount;
  return {
    environmentCount,
    seatCount,
    foodCount,
    size,
    stride,
    rowOf: Int32Array.from({ length: stride * stride }, (_, cell) => Math.floor(cell / stride) - 1),
    columnOf: Int32Array.from({ length: stride * stride }, (_, cell) => (cell % stride) - 1),
    offsetOf: Int32Array.of(0, -stride, stride, -1, 1, 0),
    step: new Int32Array(environmentCount),
    cell: new Int32Array(players),
    level: new Int32Array(players),
    field: new Int32Array(environmentCount * stride * stride),
    foodCell: new Int32Array(items),
    foodLevel: new Int32Array(items),
    spawned: new Int32Array(environmentCount),
    action: new Int32Array(players),
    external: new Uint8Array(players).fill(1),
  };
}

/** The cell of a row and column, each 0 … S − 1. */
export function cellAt({ stride }: State, row: number, column: number): number {
  return (row + 1) * stride + column + 1;
}

/** Whether two cells share a side. The wall keeps the ends of two rows apart. */
export function areAdjacent({ stride }: State, one: number, other: number): boolean {
  const apart = Math.abs(one - other);
  return apart === 1 || apart === stride;
}

/**
 * Whether a player may do an action: a move must lead to a cell without food inside the field, a load needs food beside
 * it. Other players are no hindrance to legality; see `movement.ts` for what happens where they meet.
 *
 * @source lbforaging 2.0.0, ForagingEnv._is_valid_action
 */
export function isLegal(state: State, environment: number, seat: number, action: number): boolean {
  if (action === ACTION.none) return true;
  const { field, stride, seatCount, cell, offsetOf } = state;
  const at = environment * stride * stride + cell[environment * seatCount + seat]!;
  if (action !== ACTION.load) return field[at + offsetOf[action]!] === EMPTY;
  return field[at - stride]! > 0 || field[at + stride]! > 0 || field[at - 1]! > 0 || field[at + 1]! > 0;
}

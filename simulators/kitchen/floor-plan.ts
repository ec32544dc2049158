import { rowsOf } from './layout-drawing.ts';
import { DRAWINGS } from './layouts/index.ts';
import type { Options } from './options.ts';

// Letters: L layouts, C cells of the largest rows times the largest columns.

/** What a cell is. Whatever is not floor cannot be walked on; `outside` lies beyond a drawing smaller than the largest. */
export const TERRAIN = {
  floor: 0,
  counter: 1,
  onions: 2,
  tomatoes: 3,
  dishes: 4,
  pot: 5,
  serving: 6,
  outside: 7,
} as const;

const TERRAIN_OF: Readonly<Record<string, number>> = {
  ' ': TERRAIN.floor,
  1: TERRAIN.floor,
  2: TERRAIN.floor,
  X: TERRAIN.counter,
  O: TERRAIN.onions,
  T: TERRAIN.tomatoes,
  D: TERRAIN.dishes,
  P: TERRAIN.pot,
  S: TERRAIN.serving,
};

/** What `steps` holds where there is no way. */
export const UNREACHED = 0xffff;

/** All layouts of a world, in numbers. A cell is row · stride + column. */
export interface FloorPlan {
  /** Shape [L]. */
  readonly names: readonly string[];
  readonly drawings: readonly (readonly string[])[];
  /** Rows and columns of the largest; from one row to the next are `stride` cells. */
  readonly rowCount: number;
  readonly stride: number;
  /** C. */
  readonly cellCount: number;
  /** Shape [L C]. */
  readonly terrain: Uint8Array;
  /** Shape [L 2]: where the cooks start. */
  readonly startCells: Int32Array;
  /** By layout, the cells that something can be done at, and those of them that are pots, in reading order. */
  readonly stations: readonly Int32Array[];
  readonly pots: readonly Int32Array[];
  /** Shape [L C C]: fewest steps from a cell of floor to another or, to what is not floor, to floor beside it. */
  readonly steps: Uint16Array;
  /** Shape [L C]: what can be reached from a cell, the nearest first, in reading order among equally near ones. */
  readonly nearbyStations: readonly Int32Array[];
  readonly nearbyPots: readonly Int32Array[];
  /** Shape [C] each. */
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;
  /** Shape [L C]: of what is not floor, the one cell of floor beside it; −1 where there are more, or none. */
  readonly onlyAccess: Int16Array;
}

export function createFloorPlan({ layouts }: Options): FloorPlan {
  const built = Object.entries(DRAWINGS).map(([name, drawing]) => [name, rowsOf(drawing)] as const);
  // By name, because the order of keys does not survive in every store.
  const given = Object.entries(layouts).sort(([one], [other]) => (one < other ? -1 : 1));
  const all: readonly (readonly [string, readonly string[]])[] = [...built, ...given];
  const drawings = all.map(([, rows]) => rows);
  const rowCount = Math.max(...drawings.map((rows) => rows.length));
  const stride = Math.max(...drawings.map((rows) => rows[0]!.length));
  const cellCount = rowCount * stride;
  const terrain = new Uint8Array(drawings.length * cellCount).fill(TERRAIN.outside);
  const startCells = new Int32Array(drawings.length * 2);
  drawings.forEach((rows, layout) =>
    rows.forEach((row, index) =>
      [...row].forEach((character, column) => {
        const cell = index * stride + column;
        terrain[layout * cellCount + cell] = TERRAIN_OF[character]!;
        if (character === '1' || character === '2') startCells[layout * 2 + Number(character) - 1] = cell;
      }),
    ),
  );
  const shape = { names: all.map(([name]) => name), drawings, rowCount, stride, cellCount, terrain, startCells };
  return { ...shape, ...waysOf(terrain, drawings.length, stride, cellCount) };
}

/** The four cells beside a cell, as differences. */
export function sidesOf(stride: number): readonly number[] {
  return [-stride, stride, 1, -1];
}

function waysOf(terrain: Uint8Array, layoutCount: number, stride: number, cellCount: number) {
  const steps = new Uint16Array(layoutCount * cellCount * cellCount).fill(UNREACHED);
  const cells = Array.from({ length: cellCount }, (_, cell) => cell);
  const found = (layout: number, isWanted: (kind: number, cell: number) => boolean): Int32Array =>
    Int32Array.from(cells).filter((cell) => isWanted(terrain[layout * cellCount + cell]!, cell));
  const layouts = Array.from({ length: layoutCount }, (_, layout) => layout);
  for (const layout of layouts) {
    const ground = terrain.subarray(layout * cellCount, (layout + 1) * cellCount);
    for (const from of found(layout, (kind) => kind === TERRAIN.floor)) {
      const at = (layout * cellCount + from) * cellCount;
      spread(ground, stride, from, steps.subarray(at, at + cellCount));
    }
  }
  const isStation = (kind: number): boolean => kind !== TERRAIN.floor && kind !== TERRAIN.outside;
  const isPot = (kind: number): boolean => kind === TERRAIN.pot;
  /** Those of some cells that can be reached, for every cell of every layout. */
  const nearby = (isWanted: (kind: number) => boolean): readonly Int32Array[] =>
    layouts.flatMap((layout) => {
      const wanted = found(layout, isWanted);
      return Array.from({ length: cellCount }, (_, from) => {
        const at = (layout * cellCount + from) * cellCount;
        const reached = wanted.filter((cell) => steps[at + cell] !== UNREACHED);
        return reached.sort((one, other) => steps[at + one]! - steps[at + other]! || one - other);
      });
    });
  return {
    steps,
    nearbyStations: nearby(isStation),
    nearbyPots: nearby(isPot),
    rowOf: Int32Array.from(cells, (cell) => Math.floor(cell / stride)),
    columnOf: Int32Array.from(cells, (cell) => cell % stride),
    onlyAccess: Int16Array.from(terrain, (kind, index) => {
      const cell = index % cellCount;
      const sides = kind === TERRAIN.floor ? [] : sidesOf(stride).map((side) => cell + side);
      const beside = sides.filter(
        (side) => terrain[index - cell + side] === TERRAIN.floor && side < cellCount && side >= 0,
      );
      return beside.length === 1 ? beside[0]! : -1;
    }),
    stations: layouts.map((layout) => found(layout, isStation)),
    pots: layouts.map((layout) => found(layout, isPot)),
  };
}

/** Breadth first over the floor. What borders on floor is as far as that floor. @param steps shape [C], filled */
function spread(ground: Uint8Array, stride: number, from: number, steps: Uint16Array): void {
  steps[from] = 0;
  const queue = [from];
  for (const cell of queue) {
    for (const side of sidesOf(stride)) {
      const next = cell + side;
      if (steps[next] !== UNREACHED) continue;
      const isFloor = ground[next] === TERRAIN.floor;
      steps[next] = steps[cell]! + (isFloor ? 1 : 0);
      if (isFloor) queue.push(next);
    }
  }
}

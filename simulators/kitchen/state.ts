import { sidesOf, type FloorPlan } from './floor-plan.ts';

// B environments, two seats, C cells of the largest layout.

export const SEATS = 2;

/** Those of the package, with `stay` put before them: action 0 does nothing in every family. */
export const ACTION = { stay: 0, north: 1, south: 2, east: 3, west: 4, interact: 5 } as const;
export const ACTION_COUNT = 6;

/** Where a cook looks: the action that turns it there, less one. */
export const FACING_NAMES = ['north', 'south', 'east', 'west'] as const;
export const FACING_COUNT = FACING_NAMES.length;

/** What `cooking` holds for a pot that is not on, and for one that was turned on in this very step. */
export const COLD = 0;
export const LIT = 1;

/** The kitchens of every environment as a struct of arrays. */
export interface State {
  readonly environmentCount: number;
  readonly seatCount: typeof SEATS;
  readonly plan: FloorPlan;
  /** Shape [FACING_COUNT]: from a cell to the one that a cook there faces. */
  readonly offsetOf: Int32Array;
  /** Shape [B]: steps of the episode that are over; index of the layout; soups served that are worth something. */
  readonly step: Int32Array;
  readonly layout: Int32Array;
  readonly soups: Int32Array;
  /** Shape [B 2] each: where the cooks stand, where they look, and the code of what they carry. */
  readonly cell: Int32Array;
  readonly facing: Int32Array;
  readonly held: Uint8Array;
  /** Shape [B C]: the code of what lies on a counter or is in a pot. */
  readonly item: Uint8Array;
  /** Shape [B C]: of a pot, COLD, or LIT and one more for every step that it has been cooking. */
  readonly cooking: Int32Array;
  /** Shape [B 2]: the joint action of this step. */
  readonly action: Int32Array;
  /** Shape [B 2]: 1 where the seat is driven from outside. */
  readonly external: Uint8Array;
}

export function createState(environmentCount: number, plan: FloorPlan): State {
  const cooks = environmentCount * SEATS;
  const cells = environmentCount * plan.cellCount;
  return {
    environmentCount,
    seatCount: SEATS,
    plan,
    offsetOf: Int32Array.from(sidesOf(plan.stride)),
    step: new Int32Array(environmentCount),
    layout: new Int32Array(environmentCount),
    soups: new Int32Array(environmentCount),
    cell: new Int32Array(cooks),
    facing: new Int32Array(cooks),
    held: new Uint8Array(cooks),
    item: new Uint8Array(cells),
    cooking: new Int32Array(cells),
    action: new Int32Array(cooks),
    external: new Uint8Array(cooks).fill(1),
  };
}

/** What a cell of an environment's layout is; see `TERRAIN`. */
export function terrainAt({ plan, layout }: State, environment: number, cell: number): number {
  return plan.terrain[layout[environment]! * plan.cellCount + cell]!;
}

/** Fewest steps from a cell of floor in an environment's layout; see `FloorPlan.steps`. */
export function stepsBetween({ plan, layout }: State, environment: number, from: number, to: number): number {
  return plan.steps[(layout[environment]! * plan.cellCount + from) * plan.cellCount + to]!;
}

import { TERRAIN, UNREACHED } from './floor-plan.ts';
import { ACTION, FACING_COUNT, SEATS, type State, stepsBetween, terrainAt } from './state.ts';

/** How a cook behaves towards the other, who may be in its way. */
export interface Manners {
  /** Whether it goes straight on, or makes way. */
  readonly hasRightOfWay: boolean;
  /** Uniform in [0, 1). */
  readonly coin: number;
}

/** Ways to stations, around the other cook. Nothing is allocated. */
export class Ways {
  private readonly state: State;
  /** Shape [C] each: steps to the station with the other cook in the way, and the cells found so far. */
  private readonly distance: Int32Array;
  private readonly found: Int32Array;

  constructor(state: State) {
    this.state = state;
    this.distance = new Int32Array(state.plan.cellCount);
    this.found = new Int32Array(state.plan.cellCount);
  }

  /**
   * The action that brings a cook nearer to a station that it can reach; beside it, the turn towards it, and `interact`
   * once it faces it. Who makes way lets the other first into a cell that both may want, with probability ½; where the
   * other stands on every shortest way it goes around, or, where there is no way around, anywhere.
   */
  firstAction(environment: number, seat: number, station: number, manners: Manners): number {
    const { cell, facing, offsetOf } = this.state;
    const cook = environment * SEATS + seat;
    const here = cell[cook]!;
    for (let side = 0; side < FACING_COUNT; side += 1) {
      if (here + offsetOf[side]! === station) return facing[cook] === side ? ACTION.interact : side + 1;
    }
    if (manners.hasRightOfWay) return this.straightOn(environment, seat, station);
    const move = this.around(environment, seat, station, manners.coin);
    const isContested = this.areBeside(here + offsetOf[move - 1]!, cell[environment * SEATS + 1 - seat]!);
    return isContested && manners.coin < 0.5 ? ACTION.stay : move;
  }

  /** For one with nothing to do: leaves the side of the other, with probability ½, so as not to stand in its way. */
  stepAside(environment: number, seat: number, { hasRightOfWay, coin }: Manners): number {
    const { cell } = this.state;
    const here = cell[environment * SEATS + seat]!;
    const isBeside = this.areBeside(here, cell[environment * SEATS + 1 - seat]!);
    return isBeside && !hasRightOfWay && coin < 0.5 ? this.anywhere(environment, seat, 2 * coin) : ACTION.stay;
  }

  /** The first move of a shortest way, one that the other does not stand on if there is one. */
  private straightOn(environment: number, seat: number, station: number): number {
    const { cell, offsetOf } = this.state;
    const here = cell[environment * SEATS + seat]!;
    const other = cell[environment * SEATS + 1 - seat]!;
    const steps = stepsBetween(this.state, environment, here, station);
    let chosen: number = ACTION.stay;
    for (let side = 0; side < FACING_COUNT; side += 1) {
      const next = here + offsetOf[side]!;
      if (!this.isFloor(environment, next)) continue;
      if (stepsBetween(this.state, environment, next, station) >= steps) continue;
      if (next !== other) return side + 1;
      chosen = side + 1;
    }
    return chosen;
  }

  private around(environment: number, seat: number, station: number, coin: number): number {
    const { cell, offsetOf } = this.state;
    const here = cell[environment * SEATS + seat]!;
    this.spreadFrom(environment, seat, station);
    let chosen: number = ACTION.stay;
    let least: number = UNREACHED;
    for (let side = 0; side < FACING_COUNT; side += 1) {
      const steps = this.distance[here + offsetOf[side]!]!;
      if (steps >= least) continue;
      least = steps;
      chosen = side + 1;
    }
    return chosen === ACTION.stay ? this.anywhere(environment, seat, coin) : chosen;
  }

  /** A move to a free cell. @param coin uniform in [0, 1) */
  private anywhere(environment: number, seat: number, coin: number): number {
    const { cell, offsetOf } = this.state;
    const here = cell[environment * SEATS + seat]!;
    const first = Math.floor(coin * FACING_COUNT);
    for (let turn = 0; turn < FACING_COUNT; turn += 1) {
      const side = (first + turn) % FACING_COUNT;
      if (this.isFree(environment, seat, here + offsetOf[side]!)) return side + 1;
    }
    return ACTION.stay;
  }

  /** Breadth first from the sides of the station over all cells but those of the cooks. */
  private spreadFrom(environment: number, seat: number, station: number): void {
    this.distance.fill(UNREACHED);
    let foundCount = this.reachAround(environment, seat, station, 0, 0);
    for (let next = 0; next < foundCount; next += 1) {
      const at = this.found[next]!;
      foundCount = this.reachAround(environment, seat, at, this.distance[at]! + 1, foundCount);
    }
  }

  /** @returns how many cells are found now */
  private reachAround(environment: number, seat: number, at: number, steps: number, foundCount: number): number {
    let count = foundCount;
    const { offsetOf, plan } = this.state;
    for (let side = 0; side < FACING_COUNT; side += 1) {
      const cell = at + offsetOf[side]!;
      if (cell < 0 || cell >= plan.cellCount) continue;
      if (this.distance[cell] !== UNREACHED || !this.isFree(environment, seat, cell)) continue;
      this.distance[cell] = steps;
      this.found[count] = cell;
      count += 1;
    }
    return count;
  }

  private isFree(environment: number, seat: number, cell: number): boolean {
    return this.isFloor(environment, cell) && cell !== this.state.cell[environment * SEATS + 1 - seat];
  }

  private isFloor(environment: number, cell: number): boolean {
    return terrainAt(this.state, environment, cell) === TERRAIN.floor;
  }

  private areBeside(one: number, other: number): boolean {
    const apart = Math.abs(one - other);
    return apart === 1 || apart === this.state.plan.stride;
  }
}

import { ACTION, areAdjacent, EMPTY, type State } from './state.ts';

const MOVES = [ACTION.north, ACTION.south, ACTION.west, ACTION.east] as const;
const UNREACHED = -1;

/** Shortest ways to a free side of food, around food and other players as they stand now. Nothing is allocated. */
export class Detour {
  private readonly state: State;
  /** Shape [C] each: steps from a side of the food, and the cells found so far. */
  private readonly distance: Int32Array;
  private readonly found: Int32Array;
  private foundCount = 0;

  constructor(state: State) {
    this.state = state;
    this.distance = new Int32Array(state.stride * state.stride);
    this.found = new Int32Array(state.stride * state.stride);
  }

  /** The first move of a shortest way, in the order of the actions; −1 when there is no way. */
  firstMove(environment: number, seat: number, food: number): number {
    const { cell, seatCount, offsetOf } = this.state;
    const self = cell[environment * seatCount + seat]!;
    this.spreadFrom(environment, seat, food);
    if (this.distance[self] === UNREACHED) return -1;
    for (const move of MOVES) {
      const steps = this.distance[self + offsetOf[move]!]!;
      if (steps !== UNREACHED && steps < this.distance[self]!) return move;
    }
    return -1;
  }

  /** Whether another player may want to enter a cell in this step too. */
  isContested(environment: number, seat: number, goal: number): boolean {
    const { cell, seatCount } = this.state;
    for (let other = 0; other < seatCount; other += 1) {
      if (other !== seat && areAdjacent(this.state, cell[environment * seatCount + other]!, goal)) return true;
    }
    return false;
  }

  /** Breadth first from the sides of the food over all free cells. */
  private spreadFrom(environment: number, seat: number, food: number): void {
    this.distance.fill(UNREACHED);
    this.foundCount = 0;
    this.reachAround(environment, seat, food, 0);
    for (let next = 0; next < this.foundCount; next += 1) {
      const at = this.found[next]!;
      this.reachAround(environment, seat, at, this.distance[at]! + 1);
    }
  }

  private reachAround(environment: number, seat: number, at: number, steps: number): void {
    for (const move of MOVES) {
      const cell = at + this.state.offsetOf[move]!;
      if (this.distance[cell] !== UNREACHED || !this.isFree(environment, seat, cell)) continue;
      this.distance[cell] = steps;
      this.found[this.foundCount] = cell;
      this.foundCount += 1;
    }
  }

  private isFree(environment: number, seat: number, at: number): boolean {
    const { field, stride, cell, seatCount } = this.state;
    if (field[environment * stride * stride + at] !== EMPTY) return false;
    for (let other = 0; other < seatCount; other += 1) {
      if (other !== seat && cell[environment * seatCount + other] === at) return false;
    }
    return true;
  }
}

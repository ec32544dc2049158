import { PURPOSE, RandomStream } from './random.ts';

// Letters: B environments.

/** What the dynamics of a step draw; each has its own segments of their stream. */
const DYNAMICS = { move: 0, deed: 1 } as const;
const DYNAMICS_COUNT = 2;

/** Whose chance it is. */
interface Stepping {
  readonly environmentCount: number;
  /** Shape [B]: steps of the episode that are over. */
  readonly step: Int32Array;
}

/**
 * Chance of a world of cells: a function of the key of the episode, the step, and the seat or cell, whatever else is drawn. So two
 * simulators that differ in a probability share their draws, and looking twice shows the same.
 */
export class Chance {
  private readonly state: Stepping;
  private readonly stream = new RandomStream({ high: 0, low: 0 });
  /** No index is larger, be it of a seat or of a cell. */
  private readonly width: number;
  /** Shape [B]. */
  private readonly keyHigh: Int32Array;
  private readonly keyLow: Int32Array;

  /** @param width more than any index, be it of a seat or of a cell */
  constructor(state: Stepping, width: number) {
    this.state = state;
    this.width = width;
    this.keyHigh = new Int32Array(state.environmentCount);
    this.keyLow = new Int32Array(state.environmentCount);
  }

  /** @param keyHigh, keyLow the episode's key */
  begin(environment: number, keyHigh: number, keyLow: number): void {
    this.keyHigh[environment] = keyHigh;
    this.keyLow[environment] = keyLow;
  }

  /** Each of these is uniform in [0, 1). */
  ofMove(environment: number, seat: number): number {
    return this.draw(environment, PURPOSE.dynamics, DYNAMICS.move, seat);
  }

  /** @param index of who does something other than move, or of the cell that it is done to */
  ofDeed(environment: number, index: number): number {
    return this.draw(environment, PURPOSE.dynamics, DYNAMICS.deed, index);
  }

  ofSticking(environment: number, seat: number): number {
    return this.draw(environment, PURPOSE.stickyAction, 0, seat);
  }

  ofDropping(environment: number, seat: number): number {
    return this.draw(environment, PURPOSE.droppedObservation, 0, seat);
  }

  private draw(environment: number, purpose: number, kind: number, index: number): number {
    const step = this.state.step[environment]!;
    this.stream.rekeyFolded(this.keyHigh[environment]!, this.keyLow[environment]!, purpose);
    this.stream.seek((step * DYNAMICS_COUNT + kind) * this.width + index);
    return this.stream.nextUniform();
  }
}

import { PURPOSE, RandomStream } from '../random.ts';
import type { State } from './state.ts';

/** What the dynamics of a step draw; each has its own segments of their stream. */
const DYNAMICS = { move: 0, load: 1 } as const;
const DYNAMICS_COUNT = 2;

/**
 * Chance of the world: a function of the episode's key, the step, and the seat or cell, whatever else is drawn. So two
 * simulators that differ in a probability share their draws, and looking twice shows the same.
 */
export class Chance {
  private readonly state: State;
  private readonly stream = new RandomStream({ high: 0, low: 0 });
  /** C: no index is larger, be it of a seat or of a cell. */
  private readonly width: number;
  /** Shape [B]. */
  private readonly keyHigh: Int32Array;
  private readonly keyLow: Int32Array;

  constructor(state: State) {
    this.state = state;
    this.width = state.stride * state.stride;
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

  ofLoad(environment: number, cell: number): number {
    return this.draw(environment, PURPOSE.dynamics, DYNAMICS.load, cell);
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

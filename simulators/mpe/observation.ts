import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import type { State } from './state.ts';

/** What the seats of one group sense, before anything disturbs it. */
export interface Sense {
  readonly seats: readonly number[];
  /** Numbers of an observation. */
  readonly size: number;
  /** How many of them, from the first one on, noise is added to. */
  readonly noisySize: number;
  /** Writes what a seat senses, `size` numbers, from an index on. */
  sense(environment: number, seat: number, out: Float32Array | Float64Array, at: number): void;
}

/**
 * What the seats of one group see of what they sense. Noise is added to all but the silent numbers; a dropped
 * observation is all zeros. Both are functions of key, step and seat, so looking twice shows the same.
 */
export class Observer {
  private readonly state: State;
  private readonly sense: Sense;
  private readonly noise: Float64Array;
  private readonly dropped: Float64Array;
  private readonly stream = new RandomStream({ high: 0, low: 0 });

  constructor(state: State, columns: ParameterColumns, sense: Sense) {
    this.state = state;
    this.sense = sense;
    this.noise = columns.column('perturbations.observation_noise');
    this.dropped = columns.column('perturbations.dropped_observations');
  }

  /** @param out shape [B G O] */
  observe(out: Float32Array | Float64Array): void {
    const { environmentCount } = this.state;
    const { seats, size } = this.sense;
    let at = 0;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const noise = this.noise[environment]!;
      const dropped = this.dropped[environment]!;
      for (let place = 0; place < seats.length; place += 1) {
        const seat = seats[place]!;
        this.sense.sense(environment, seat, out, at);
        if (noise > 0) this.disturb(environment, seat, noise, out, at);
        if (dropped > 0 && this.isDropped(environment, seat, dropped)) out.fill(0, at, at + size);
        at += size;
      }
    }
  }

  private disturb(
    environment: number,
    seat: number,
    noise: number,
    out: Float32Array | Float64Array,
    at: number,
  ): void {
    this.seekStream(environment, seat, PURPOSE.observationNoise);
    const end = at + this.sense.noisySize;
    for (let next = at; next < end; next += 1) out[next]! += noise * this.stream.nextNormal();
  }

  private isDropped(environment: number, seat: number, probability: number): boolean {
    this.seekStream(environment, seat, PURPOSE.droppedObservation);
    return this.stream.nextUniform() < probability;
  }

  private seekStream(environment: number, seat: number, purpose: number): void {
    const { keyHigh, keyLow, step, seatCount } = this.state;
    this.stream.rekeyFolded(keyHigh[environment]!, keyLow[environment]!, purpose);
    this.stream.seek(step[environment]! * seatCount + seat);
  }
}

import type { ObservationPart } from '../contract.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import type { State } from './state.ts';

/** What the seats of one group see, in MPE2's order. */
export interface Sight {
  readonly seats: readonly number[];
  /** The velocities of the others on seats from `first` up to `end` are seen, in the order of seats. */
  readonly velocities: { readonly first: number; readonly end: number };
  /** Numbers at the end that are always 0: what silent agents say. */
  readonly silentSize: number;
}

/** The observation of the seats of a group, part by part. Parts without numbers are left out. */
export function observationParts(sight: Sight, seatCount: number, landmarkCount: number): readonly ObservationPart[] {
  const { first, end } = sight.velocities;
  // The groups of a world see one another's velocities as a whole or not at all.
  const ownVelocityIsAmong = first <= sight.seats[0]! && sight.seats[0]! < end;
  const ofOthers = true as const;
  const parts = [
    { name: 'own_velocity', length: 2, unit: 'length/s' },
    { name: 'own_position', length: 2, unit: 'length' },
    { name: 'landmarks', length: 2 * landmarkCount, unit: 'length' },
    { name: 'others', ofOthers, length: 2 * (seatCount - 1), unit: 'length' },
    { name: 'other_velocities', ofOthers, length: 2 * (end - first - (ownVelocityIsAmong ? 1 : 0)), unit: 'length/s' },
    { name: 'communication', ofOthers, length: sight.silentSize, unit: '1' },
  ];
  let offset = 0;
  return parts.flatMap((part) => {
    const placed = { ...part, offset };
    offset += part.length;
    return part.length > 0 ? [placed] : [];
  });
}

/** The length of an observation. */
export function sizeOf(parts: readonly ObservationPart[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/**
 * What the seats of one group see. Nothing is clipped. Noise is added to all but the silent numbers; a dropped
 * observation is all zeros. Both are functions of key, step and seat, so looking twice shows the same.
 */
export class Observer {
  private readonly state: State;
  private readonly sight: Sight;
  private readonly size: number;
  private readonly noise: Float64Array;
  private readonly dropped: Float64Array;
  private readonly stream = new RandomStream({ high: 0, low: 0 });

  constructor(state: State, columns: ParameterColumns, sight: Sight) {
    this.state = state;
    this.sight = sight;
    this.size = sizeOf(observationParts(sight, state.seatCount, state.landmarkCount));
    this.noise = columns.column('perturbations.observation_noise');
    this.dropped = columns.column('perturbations.dropped_observations');
  }

  /** @param out shape [B G O] */
  observe(out: Float32Array | Float64Array): void {
    const { environmentCount } = this.state;
    const { seats } = this.sight;
    let at = 0;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const noise = this.noise[environment]!;
      const dropped = this.dropped[environment]!;
      for (let place = 0; place < seats.length; place += 1) {
        const seat = seats[place]!;
        this.sense(environment, seat, out, at);
        if (noise > 0) this.disturb(environment, seat, noise, out, at);
        if (dropped > 0 && this.isDropped(environment, seat, dropped)) out.fill(0, at, at + this.size);
        at += this.size;
      }
    }
  }

  private sense(environment: number, seat: number, out: Float32Array | Float64Array, at: number): void {
    const { seatCount, landmarkCount, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    const { velocities } = this.sight;
    const first = environment * seatCount;
    const self = first + seat;
    const ownX = x[self]!;
    const ownY = y[self]!;
    let next = at;
    out[next++] = velocityX[self]!;
    out[next++] = velocityY[self]!;
    out[next++] = ownX;
    out[next++] = ownY;
    const endLandmark = (environment + 1) * landmarkCount;
    for (let landmark = environment * landmarkCount; landmark < endLandmark; landmark += 1) {
      out[next++] = landmarkX[landmark]! - ownX;
      out[next++] = landmarkY[landmark]! - ownY;
    }
    for (let other = first; other < first + seatCount; other += 1) {
      if (other === self) continue;
      out[next++] = x[other]! - ownX;
      out[next++] = y[other]! - ownY;
    }
    for (let other = first + velocities.first; other < first + velocities.end; other += 1) {
      if (other === self) continue;
      out[next++] = velocityX[other]!;
      out[next++] = velocityY[other]!;
    }
    while (next < at + this.size) out[next++] = 0;
  }

  private disturb(
    environment: number,
    seat: number,
    noise: number,
    out: Float32Array | Float64Array,
    at: number,
  ): void {
    this.seekStream(environment, seat, PURPOSE.observationNoise);
    const end = at + this.size - this.sight.silentSize;
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

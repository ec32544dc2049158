import type { ObservationPart } from '../contract.ts';
import type { Sense } from './observation.ts';
import type { State } from './state.ts';

/** What the seats of one group see, in MPE2's order. */
export interface Sight {
  readonly seats: readonly number[];
  /** The velocities of the others on seats from `first` up to `end` are seen, in the order of seats. */
  readonly velocities: { readonly first: number; readonly end: number };
  /** Numbers at the end that are always 0: what silent agents say. */
  readonly silentSize: number;
}

/** The observation of the seats of a group, part by part. */
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
  return placeParts(parts);
}

/** Parts one after the other; those without numbers are left out. */
export function placeParts(parts: readonly Omit<ObservationPart, 'offset'>[]): readonly ObservationPart[] {
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

/** What the seats of one group see of a plane with agents and landmarks. Nothing is clipped. */
export class PlaneSense implements Sense {
  readonly seats: readonly number[];
  readonly size: number;
  readonly noisySize: number;
  private readonly state: State;
  private readonly sight: Sight;

  constructor(state: State, sight: Sight) {
    this.seats = sight.seats;
    this.size = sizeOf(observationParts(sight, state.seatCount, state.landmarkCount));
    this.noisySize = this.size - sight.silentSize;
    this.state = state;
    this.sight = sight;
  }

  sense(environment: number, seat: number, out: Float32Array | Float64Array, at: number): void {
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
}

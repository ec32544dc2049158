// B environments, N seats and as many landmarks.

/** What moves, as a struct of arrays: entry `environment * N + seat` belongs to that seat (or landmark). */
export interface State {
  readonly environmentCount: number;
  readonly seatCount: number;
  /** Shape [B]: steps of the episode that are over. */
  readonly step: Int32Array;
  /** Shape [B N] each: positions (length) and velocities (length/s) of the agents. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly velocityX: Float64Array;
  readonly velocityY: Float64Array;
  /** Shape [B N] each: positions of the landmarks. */
  readonly landmarkX: Float64Array;
  readonly landmarkY: Float64Array;
  /** Shape [B N]: the joint action that takes effect in this step, 0 … 4. */
  readonly action: Int32Array;
  /** Shape [B N]: 1 where the seat is driven from outside. */
  readonly external: Uint8Array;
}

export function createState(environmentCount: number, seatCount: number): State {
  const size = environmentCount * seatCount;
  return {
    environmentCount,
    seatCount,
    step: new Int32Array(environmentCount),
    x: new Float64Array(size),
    y: new Float64Array(size),
    velocityX: new Float64Array(size),
    velocityY: new Float64Array(size),
    landmarkX: new Float64Array(size),
    landmarkY: new Float64Array(size),
    action: new Int32Array(size),
    external: new Uint8Array(size).fill(1),
  };
}

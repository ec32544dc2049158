import type { ActionArray } from '../contract.ts';
import { createMoves, moveSize } from './moves.ts';
import { ACTION_COUNT } from './parameters.ts';

// B environments, N seats, L landmarks, W numbers of an action.

/** What moves, as a struct of arrays: entry `environment * N + seat` (or `environment * L + landmark`) belongs to one. */
export interface State {
  readonly environmentCount: number;
  readonly seatCount: number;
  readonly landmarkCount: number;
  /** Shape [B]: steps of the episode that are over. */
  readonly step: Int32Array;
  /** Shape [B] each: halves of the key that all chance of the episode comes from. */
  readonly keyHigh: Int32Array;
  readonly keyLow: Int32Array;
  /** Shape [B N] each: positions (length) and velocities (length/s) of the agents. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly velocityX: Float64Array;
  readonly velocityY: Float64Array;
  /** Shape [B L] each: positions of the landmarks. */
  readonly landmarkX: Float64Array;
  readonly landmarkY: Float64Array;
  /** Shape [N]: number of moves of each seat; where actions are boxes, the numbers of each. */
  readonly moveCounts: readonly number[];
  /** W: 1 where an action is the number of a move; 5 where it says how much of each move. */
  readonly actionSize: number;
  /** Shape [B N W]: the joint action that took effect last; before the first step everyone idles, which is all 0. */
  readonly action: ActionArray;
  /** Shape [B N]: 1 where the seat is driven from outside. */
  readonly external: Uint8Array;
}

export interface StateShape {
  readonly environmentCount: number;
  readonly seatCount: number;
  readonly landmarkCount: number;
  readonly isContinuous: boolean;
  /** Five each where it is left out. */
  readonly moveCounts?: readonly number[];
}

export function createState(shape: StateShape): State {
  const { environmentCount, seatCount, landmarkCount, isContinuous } = shape;
  const agents = environmentCount * seatCount;
  const landmarks = environmentCount * landmarkCount;
  return {
    environmentCount,
    seatCount,
    landmarkCount,
    step: new Int32Array(environmentCount),
    keyHigh: new Int32Array(environmentCount),
    keyLow: new Int32Array(environmentCount),
    x: new Float64Array(agents),
    y: new Float64Array(agents),
    velocityX: new Float64Array(agents),
    velocityY: new Float64Array(agents),
    landmarkX: new Float64Array(landmarks),
    landmarkY: new Float64Array(landmarks),
    moveCounts: shape.moveCounts ?? new Array<number>(seatCount).fill(ACTION_COUNT),
    actionSize: moveSize(isContinuous),
    action: createMoves(agents, isContinuous),
    external: new Uint8Array(agents).fill(1),
  };
}

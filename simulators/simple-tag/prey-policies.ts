import type { State } from '../mpe/state.ts';
import { steer } from '../mpe/steering.ts';
import { PREY_WEIGHTS, type PreyPolicy, type Seating } from './parameters.ts';

/** Coordinate (length) of the corners and sides that prey keep within; beyond 0.9 the boundary costs. */
const CORNER = 0.8;
/** Steps after which `zigzag` turns to the other side, and to the other end; its sides (length), which it can just reach. */
const ZIGZAG_STEPS = 6;
const ZIGZAG_END_STEPS = 3 * ZIGZAG_STEPS;
const ZIGZAG_SIDE = 0.35;
/** Distance (length) from the origin that prey keep which go round it. */
const ORBIT_RADIUS = 0.7;
/**
 * A prey steers to the point this far ahead (length), in the square of `CORNER`. Of the distances 0.4 … 2 this one comes
 * nearest to the returns that are usually quoted for prey that flee from chasers, at three speeds.
 */
const STRIDE = 0.45;

export const WEIGHT_COUNT = Object.keys(PREY_WEIGHTS).length;

/** Most movers are a `weighted` one whose weights the name tells, in the order of `PREY_WEIGHTS`. */
export const WEIGHTS_OF: Partial<Record<PreyPolicy | 'external', readonly number[]>> = {
  flee_nearest: [1, 0, 0, 0, 0, 0],
  flee_centroid: [0, 1, 0, 0, 0, 0],
  orbit_left: [0, 0, 1, 0, 0, 0],
  orbit_right: [0, 0, -1, 0, 0, 0],
};

/**
 * The policies of scripted prey.
 * - `corner` goes to a corner. - `zigzag` goes to and fro between the sides, on its way between the lower and the upper end.
 * - `weighted` moves along the weighted sum of directions: away from the nearest adversary, away from the adversaries'
 *   centre, round the origin, towards it, right, up; but never out of the square.
 * - `flee_nearest`, `flee_centroid`, `orbit_left` (counter-clockwise), `orbit_right` have one of these weights.
 * - `noop` stays.
 */
export class PreyPolicies {
  private readonly state: State;
  private readonly adversaryCount: number;
  private towardsX = 0;
  private towardsY = 0;

  constructor(state: State, { adversaryCount }: Seating) {
    this.state = state;
    this.adversaryCount = adversaryCount;
  }

  /**
   * The action, 0 … 4.
   * @param corner 0 … 3, bit 0 for right, bit 1 for upper
   * @param weights, at where the weights of the seat are
   */
  decide(
    policy: PreyPolicy,
    environment: number,
    seat: number,
    corner: number,
    weights: Float64Array,
    at: number,
  ): number {
    const agent = environment * this.state.seatCount + seat;
    switch (policy) {
      case 'noop':
      case 'random':
        return 0;
      case 'corner':
        return this.steerTo(agent, CORNER * sideOf(corner), CORNER * sideOf(corner >> 1));
      case 'zigzag': {
        const step = this.state.step[environment]!;
        const side = sideOf(Math.floor(step / ZIGZAG_STEPS) + 1);
        return this.steerTo(agent, ZIGZAG_SIDE * side, CORNER * sideOf(Math.floor(step / ZIGZAG_END_STEPS) + 1));
      }
      default:
        this.addDirections(environment, agent, weights, at);
        return this.stride(agent);
    }
  }

  private steerTo(agent: number, toX: number, toY: number): number {
    const { x, y, velocityX, velocityY } = this.state;
    return steer(toX - x[agent]!, toY - y[agent]!, velocityX[agent]!, velocityY[agent]!);
  }

  private addDirections(environment: number, agent: number, weights: Float64Array, at: number): void {
    const { x, y } = this.state;
    const ownX = x[agent]!;
    const ownY = y[agent]!;
    this.towardsX = weights[at + 4]!;
    this.towardsY = weights[at + 5]!;
    if (weights[at] !== 0) this.addFleeingNearest(environment, agent, weights[at]!);
    if (weights[at + 1] !== 0) this.addFleeingCentroid(environment, agent, weights[at + 1]!);
    if (weights[at + 2] !== 0) this.addOrbit(ownX, ownY, weights[at + 2]!);
    if (weights[at + 3] !== 0) this.add(-ownX, -ownY, weights[at + 3]!);
  }

  /** Round the origin, turning back to the circle where it is too far out or in. */
  private addOrbit(ownX: number, ownY: number, weight: number): void {
    const turn = weight > 0 ? 1 : -1;
    const inwards = 2 * (Math.sqrt(ownX * ownX + ownY * ownY) / ORBIT_RADIUS - 1);
    this.add(-ownY * turn, ownX * turn, Math.abs(weight));
    this.add(-ownX, -ownY, Math.abs(weight) * inwards);
  }

  private addFleeingNearest(environment: number, agent: number, weight: number): void {
    const { seatCount, x, y } = this.state;
    const first = environment * seatCount;
    let awayX = 0;
    let awayY = 0;
    let nearestSquared = Infinity;
    for (let adversary = first; adversary < first + this.adversaryCount; adversary += 1) {
      const deltaX = x[agent]! - x[adversary]!;
      const deltaY = y[agent]! - y[adversary]!;
      const squared = deltaX * deltaX + deltaY * deltaY;
      if (squared >= nearestSquared) continue;
      nearestSquared = squared;
      awayX = deltaX;
      awayY = deltaY;
    }
    this.add(awayX, awayY, weight);
  }

  private addFleeingCentroid(environment: number, agent: number, weight: number): void {
    const { seatCount, x, y } = this.state;
    const first = environment * seatCount;
    let sumX = 0;
    let sumY = 0;
    for (let adversary = first; adversary < first + this.adversaryCount; adversary += 1) {
      sumX += x[adversary]!;
      sumY += y[adversary]!;
    }
    this.add(x[agent]! - sumX / this.adversaryCount, y[agent]! - sumY / this.adversaryCount, weight);
  }

  /** Adds a direction, scaled to a length. */
  private add(alongX: number, alongY: number, length: number): void {
    const norm = Math.sqrt(alongX * alongX + alongY * alongY);
    if (norm === 0) return;
    this.towardsX += (alongX / norm) * length;
    this.towardsY += (alongY / norm) * length;
  }

  private stride(agent: number): number {
    const { towardsX, towardsY } = this;
    const norm = Math.sqrt(towardsX * towardsX + towardsY * towardsY);
    const stride = norm === 0 ? 0 : STRIDE / norm;
    const { x, y } = this.state;
    return this.steerTo(
      agent,
      withinSquare(x[agent]! + stride * towardsX),
      withinSquare(y[agent]! + stride * towardsY),
    );
  }
}

function sideOf(number: number): number {
  return number % 2 === 1 ? 1 : -1;
}

function withinSquare(coordinate: number): number {
  return Math.max(-CORNER, Math.min(CORNER, coordinate));
}

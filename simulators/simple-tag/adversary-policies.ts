import type { State } from '../mpe/state.ts';
import { steer } from '../mpe/steering.ts';
import type { AdversaryPolicy, Seating } from './parameters.ts';

/**
 * Times (s) by which a chaser looks ahead along the velocity of its prey, and along its own. Of the pairs 0 … 0.5 these
 * come nearest to the returns that are usually quoted for chasers against prey that idle, act at random and flee.
 */
const LEAD_S = 0.3;
const OWN_LOOK_AHEAD_S = 0.2;
/** Time (s) by which `intercept` leads its prey instead. */
const INTERCEPT_LEAD_S = 0.8;
/** Distance (length) from the prey at which the adversaries of `surround` take their places. */
const RING_RADIUS = 0.3;
/** Distance (length) from the origin within which `guard` goes after a prey. */
const GUARDED_RADIUS = 0.6;

/**
 * The policies of scripted adversaries; each goes after the prey that is nearest now.
 * - `chase` pushes towards where the prey will soon be, mindful of its own velocity. - `rush` pushes straight at it.
 * - `intercept` chases a point farther ahead. - `surround` chases its own place on a ring about the prey, and within the
 *   ring the prey. - `guard` chases a prey that is near the origin, otherwise waits there. - `noop` stays.
 */
export class AdversaryPolicies {
  private readonly state: State;
  private readonly adversaryCount: number;
  /** Shape [A] each: directions of the places on the ring. */
  private readonly ringX: Float64Array;
  private readonly ringY: Float64Array;

  constructor(state: State, { adversaryCount }: Seating) {
    const angle = (seat: number) => (2 * Math.PI * seat) / adversaryCount;
    this.state = state;
    this.adversaryCount = adversaryCount;
    this.ringX = Float64Array.from({ length: adversaryCount }, (_, seat) => Math.cos(angle(seat)));
    this.ringY = Float64Array.from({ length: adversaryCount }, (_, seat) => Math.sin(angle(seat)));
  }

  /** The action, 0 … 4. */
  decide(policy: AdversaryPolicy, environment: number, seat: number): number {
    const { x, y, velocityX, velocityY } = this.state;
    const agent = environment * this.state.seatCount + seat;
    const prey = this.nearestPrey(environment, agent);
    const toX = x[prey]! - x[agent]!;
    const toY = y[prey]! - y[agent]!;
    switch (policy) {
      case 'chase':
        return this.chase(agent, prey, LEAD_S, 0, 0);
      case 'rush':
        return push(toX, toY);
      case 'intercept':
        return this.chase(agent, prey, INTERCEPT_LEAD_S, 0, 0);
      case 'surround': {
        const radius = toX * toX + toY * toY < RING_RADIUS * RING_RADIUS ? 0 : RING_RADIUS;
        return this.chase(agent, prey, LEAD_S, radius * this.ringX[seat]!, radius * this.ringY[seat]!);
      }
      case 'guard':
        if (x[prey]! ** 2 + y[prey]! ** 2 < GUARDED_RADIUS ** 2) return this.chase(agent, prey, LEAD_S, 0, 0);
        return steer(-x[agent]!, -y[agent]!, velocityX[agent]!, velocityY[agent]!);
      case 'noop':
      case 'random':
        return 0;
    }
  }

  /** Pushes towards a place beside where the prey will be. @param besideX, besideY from the prey (length) */
  private chase(agent: number, prey: number, leadS: number, besideX: number, besideY: number): number {
    const { x, y, velocityX, velocityY } = this.state;
    return push(
      x[prey]! + leadS * velocityX[prey]! + besideX - x[agent]! - OWN_LOOK_AHEAD_S * velocityX[agent]!,
      y[prey]! + leadS * velocityY[prey]! + besideY - y[agent]! - OWN_LOOK_AHEAD_S * velocityY[agent]!,
    );
  }

  private nearestPrey(environment: number, agent: number): number {
    const { seatCount, x, y } = this.state;
    const first = environment * seatCount;
    let nearest = first + this.adversaryCount;
    let nearestSquared = Infinity;
    for (let prey = nearest; prey < first + seatCount; prey += 1) {
      const squared = (x[prey]! - x[agent]!) ** 2 + (y[prey]! - y[agent]!) ** 2;
      if (squared < nearestSquared) {
        nearest = prey;
        nearestSquared = squared;
      }
    }
    return nearest;
  }
}

/** The action, 0 … 4, that pushes along the axis on which a direction is longer; 0 for no direction. */
function push(towardsX: number, towardsY: number): number {
  if (towardsX === 0 && towardsY === 0) return 0;
  if (Math.abs(towardsX) >= Math.abs(towardsY)) return towardsX < 0 ? 1 : 2;
  return towardsY < 0 ? 3 : 4;
}

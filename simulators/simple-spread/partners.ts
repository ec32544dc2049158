import type { ParameterColumns } from '../parameter-columns.ts';
import type { Partners } from '../mpe/batch.ts';
import { choiceAt } from '../scripted-partner.ts';
import { PartnerHabits, UNDECIDED } from '../mpe/partner-habits.ts';
import type { State } from '../mpe/state.ts';
import { steer } from '../mpe/steering.ts';
import { PARTNER_CHOICES, PARTNER_WEIGHTS, type ScriptedPolicy } from './parameters.ts';

const WEIGHT_NAMES = Object.keys(PARTNER_WEIGHTS);
const WEIGHT_COUNT = WEIGHT_NAMES.length;

/** What `target` holds for a partner that has no landmark, and for one that chooses by its weights. */
const NOWHERE = -2;
const BY_WEIGHTS = -1;

/** Most movers are a `weighted` one whose weights the name tells: x, y, distance_self, distance_learner, index. */
const WEIGHTS_OF: Partial<Record<ScriptedPolicy | 'external', readonly number[]>> = {
  nearest_landmark: [0, 0, -1, 0, 0],
  farthest_landmark: [0, 0, 1, 0, 0],
  leftmost_landmark: [-1, 0, 0, 0, 0],
  rightmost_landmark: [1, 0, 0, 0, 0],
  topmost_landmark: [0, 1, 0, 0, 0],
  bottommost_landmark: [0, -1, 0, 0, 0],
};

interface PartnerColumns {
  readonly name: Float64Array;
  readonly landmark: Float64Array;
  readonly weights: readonly Float64Array[];
}

/**
 * The scripted partners. Where no habit decides (see `mpe/partner-habits.ts`) each of them steers to a landmark: a fixed
 * one, one drawn for the episode, or the one with the largest weighted sum of x, y, distance to itself, distance to the
 * nearest agent driven from outside (0 when there is none), and index, as things stand now, the first of equals. `noop`
 * stays.
 */
export class SpreadPartners implements Partners {
  private readonly state: State;
  private readonly habits: PartnerHabits;
  private readonly columns: readonly PartnerColumns[];
  /** Shape [B N]: index of the landmark it goes to, or BY_WEIGHTS, or NOWHERE. */
  private readonly target: Int32Array;
  /** Shape [B N WEIGHT_COUNT]. */
  private readonly weights: Float64Array;

  constructor(state: State, columns: ParameterColumns) {
    const size = state.environmentCount * state.seatCount;
    this.state = state;
    this.habits = new PartnerHabits(state, columns);
    this.columns = Array.from({ length: state.seatCount }, (_, seat) => ({
      name: columns.column(`partners.${seat}.name`),
      landmark: columns.column(`partners.${seat}.landmark`),
      weights: WEIGHT_NAMES.map((name) => columns.column(`partners.${seat}.weights.${name}`)),
    }));
    this.target = new Int32Array(size).fill(NOWHERE);
    this.weights = new Float64Array(size * WEIGHT_COUNT);
  }

  begin(environment: number): void {
    for (let seat = 0; seat < this.state.seatCount; seat += 1) this.seatPartner(environment, seat);
  }

  decide(environment: number, seat: number): number {
    const habitual = this.habits.act(environment, seat);
    if (habitual !== UNDECIDED) return habitual;
    const { seatCount, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    const agent = environment * seatCount + seat;
    let target = this.target[agent]!;
    if (target === NOWHERE) return 0;
    if (target === BY_WEIGHTS) target = this.preferredLandmark(environment, seat);
    const landmark = environment * seatCount + target;
    return steer(
      landmarkX[landmark]! - x[agent]!,
      landmarkY[landmark]! - y[agent]!,
      velocityX[agent]!,
      velocityY[agent]!,
    );
  }

  private seatPartner(environment: number, seat: number): void {
    const agent = environment * this.state.seatCount + seat;
    const columns = this.columns[seat]!;
    const policy = choiceAt(PARTNER_CHOICES, columns.name[environment]!);
    this.habits.begin(environment, seat, policy);
    this.target[agent] = this.fixedTarget(policy, environment, seat);
    const weights = WEIGHTS_OF[policy];
    for (let index = 0; index < WEIGHT_COUNT; index += 1) {
      const weight = weights === undefined ? columns.weights[index]![environment]! : weights[index]!;
      this.weights[agent * WEIGHT_COUNT + index] = weight;
    }
  }

  private fixedTarget(policy: ScriptedPolicy | 'external', environment: number, seat: number): number {
    switch (policy) {
      case 'external':
      case 'noop':
      case 'random':
        return NOWHERE;
      case 'fixed_landmark':
        return this.columns[seat]!.landmark[environment]!;
      case 'random_landmark':
        return this.habits.drawForEpisode(environment, seat, this.state.seatCount);
      default:
        return BY_WEIGHTS;
    }
  }

  private preferredLandmark(environment: number, seat: number): number {
    const { seatCount, x, y, landmarkX, landmarkY } = this.state;
    const { weights } = this;
    const first = environment * seatCount;
    const agent = first + seat;
    const at = agent * WEIGHT_COUNT;
    let best = 0;
    let bestScore = -Infinity;
    for (let index = 0; index < seatCount; index += 1) {
      const atX = landmarkX[first + index]!;
      const atY = landmarkY[first + index]!;
      let score = weights[at]! * atX + weights[at + 1]! * atY + weights[at + 4]! * index;
      if (weights[at + 2] !== 0) {
        const deltaX = x[agent]! - atX;
        const deltaY = y[agent]! - atY;
        score += weights[at + 2]! * Math.sqrt(deltaX * deltaX + deltaY * deltaY);
      }
      if (weights[at + 3] !== 0) score += weights[at + 3]! * this.nearestExternal(first, atX, atY);
      if (score > bestScore) {
        bestScore = score;
        best = index;
      }
    }
    return best;
  }

  /** Distance from a point to the nearest agent driven from outside, 0 when there is none. */
  private nearestExternal(first: number, atX: number, atY: number): number {
    const { seatCount, x, y, external } = this.state;
    let nearestSquared = Infinity;
    for (let agent = first; agent < first + seatCount; agent += 1) {
      if (external[agent] === 0) continue;
      const deltaX = x[agent]! - atX;
      const deltaY = y[agent]! - atY;
      nearestSquared = Math.min(nearestSquared, deltaX * deltaX + deltaY * deltaY);
    }
    return nearestSquared === Infinity ? 0 : Math.sqrt(nearestSquared);
  }
}

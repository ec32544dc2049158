import type { ParameterColumns } from '../parameter-columns.ts';
import type { State } from './state.ts';

/**
 * Contacts are soft: bodies repel one another a little before they touch. Beyond this many contact margins the force is
 * below 2e-28 of its scale, so it is left out, which is what makes agents that are apart cheap.
 */
const CONTACT_REACH_MARGINS = 64;

/** log(1 + exp(y)) as NumPy's logaddexp(0, y) computes it. */
function softPlus(y: number): number {
  if (y === 0) return Math.LN2;
  return y < 0 ? Math.log1p(Math.exp(y)) : y + Math.log1p(Math.exp(-y));
}

/** Paths of the parameters that say how large the bodies of a world are that push one another away. */
export interface ContactSizes {
  /** Of the agent on each seat. */
  readonly seats: readonly string[];
  /** Missing where landmarks are not solid. */
  readonly landmarks?: string;
}

/**
 * The forces of bodies that touch: on an agent, for each other agent (and then each solid landmark) at distance d,
 * contact_force · (own − other) / d · margin · log(1 + exp((own size + other size − d) / margin)). Two bodies at exactly
 * the same point do not push each other (MPE2 divides by zero there).
 *
 * @source mpe2/_mpe_utils/core.py: World.get_collision_force
 */
export class Contacts {
  private readonly state: State;
  private readonly contactForce: Float64Array;
  private readonly contactMargin: Float64Array;
  private readonly landmarkSize: Float64Array | null;
  private readonly sizes: readonly Float64Array[];
  /** Shape [B N]: radius of every agent. */
  private readonly size: Float64Array;
  /** Shape [B] each: square of the distance beyond which no two agents, no agent and landmark, push each other. */
  private readonly agentReachSquared: Float64Array;
  private readonly landmarkReachSquared: Float64Array;

  constructor(state: State, columns: ParameterColumns, { seats, landmarks }: ContactSizes) {
    this.state = state;
    this.contactForce = columns.column('rules.contact_force');
    this.contactMargin = columns.column('rules.contact_margin');
    this.landmarkSize = landmarks === undefined ? null : columns.column(landmarks);
    this.sizes = seats.map((path) => columns.column(path));
    this.size = new Float64Array(state.environmentCount * state.seatCount);
    this.agentReachSquared = new Float64Array(state.environmentCount);
    this.landmarkReachSquared = new Float64Array(state.environmentCount);
  }

  /** Takes over the parameters of an environment. */
  begin(environment: number): void {
    const { seatCount } = this.state;
    let largest = 0;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const size = this.sizes[seat]![environment]!;
      this.size[environment * seatCount + seat] = size;
      largest = Math.max(largest, size);
    }
    const softness = CONTACT_REACH_MARGINS * this.contactMargin[environment]!;
    const landmarkSize = this.landmarkSize === null ? 0 : this.landmarkSize[environment]!;
    this.agentReachSquared[environment] = (largest + largest + softness) ** 2;
    this.landmarkReachSquared[environment] = (largest + landmarkSize + softness) ** 2;
  }

  /** Adds the forces of one environment to those on its agents. @param forceX, forceY shape [N] each */
  addForces(environment: number, forceX: Float64Array, forceY: Float64Array): void {
    this.pushAgents(environment, forceX, forceY);
    if (this.landmarkSize !== null) this.pushOffLandmarks(environment, this.landmarkSize[environment]!, forceX, forceY);
  }

  private pushAgents(environment: number, forceX: Float64Array, forceY: Float64Array): void {
    const { seatCount, x, y } = this.state;
    const { size } = this;
    const reachSquared = this.agentReachSquared[environment]!;
    const first = environment * seatCount;
    for (let one = 0; one < seatCount; one += 1) {
      const oneX = x[first + one]!;
      const oneY = y[first + one]!;
      for (let other = one + 1; other < seatCount; other += 1) {
        const deltaX = oneX - x[first + other]!;
        const deltaY = oneY - y[first + other]!;
        const distanceSquared = deltaX * deltaX + deltaY * deltaY;
        if (distanceSquared < reachSquared && distanceSquared > 0) {
          const distance = Math.sqrt(distanceSquared);
          const penetration = this.penetration(environment, distance, size[first + one]! + size[first + other]!);
          const stiffness = this.contactForce[environment]!;
          const pushX = ((stiffness * deltaX) / distance) * penetration;
          const pushY = ((stiffness * deltaY) / distance) * penetration;
          forceX[one]! += pushX;
          forceY[one]! += pushY;
          forceX[other]! -= pushX;
          forceY[other]! -= pushY;
        }
      }
    }
  }

  private pushOffLandmarks(
    environment: number,
    landmarkSize: number,
    forceX: Float64Array,
    forceY: Float64Array,
  ): void {
    const { seatCount, landmarkCount, x, y, landmarkX, landmarkY } = this.state;
    const { size } = this;
    const reachSquared = this.landmarkReachSquared[environment]!;
    const firstLandmark = environment * landmarkCount;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const agent = environment * seatCount + seat;
      for (let landmark = firstLandmark; landmark < firstLandmark + landmarkCount; landmark += 1) {
        const deltaX = x[agent]! - landmarkX[landmark]!;
        const deltaY = y[agent]! - landmarkY[landmark]!;
        const distanceSquared = deltaX * deltaX + deltaY * deltaY;
        if (distanceSquared < reachSquared && distanceSquared > 0) {
          const distance = Math.sqrt(distanceSquared);
          const penetration = this.penetration(environment, distance, size[agent]! + landmarkSize);
          const stiffness = this.contactForce[environment]!;
          forceX[seat]! += ((stiffness * deltaX) / distance) * penetration;
          forceY[seat]! += ((stiffness * deltaY) / distance) * penetration;
        }
      }
    }
  }

  /** How far two bodies reach into each other, softly: above 0 even before they touch. @param touching sum of sizes */
  private penetration(environment: number, distance: number, touching: number): number {
    const margin = this.contactMargin[environment]!;
    return softPlus(-(distance - touching) / margin) * margin;
  }
}

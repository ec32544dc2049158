import type { ParameterColumns } from '../parameter-columns.ts';
import type { State } from './state.ts';

/** Direction of each action: none, left, right, down, up. */
const DIRECTION_X = Float64Array.of(0, -1, 1, 0, 0);
const DIRECTION_Y = Float64Array.of(0, 0, 0, -1, 1);

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

interface BodyColumns {
  readonly size: Float64Array;
  readonly mass: Float64Array;
  readonly acceleration: Float64Array;
  readonly maxSpeed: Float64Array | null;
}

/** Paths of the parameters that say what the agent on a seat is like. */
export interface Body {
  readonly size: string;
  readonly mass: string;
  readonly acceleration: string;
  /** Missing where nothing but the damping limits the speed. */
  readonly maxSpeed?: string;
}

/** The bodies of a world: one for each seat, and the path of the size of its landmarks where these are solid. */
export interface Bodies {
  readonly seats: readonly Body[];
  readonly landmarkSize?: string;
}

/**
 * The motion of MPE2 1.1.1, with every sum and product in its order:
 *
 *     position ← position + velocity · time_step
 *     velocity ← velocity · (1 − damping) + force / mass · time_step
 *
 * where the force is that of the action plus, for each other agent (and then each solid landmark) at distance d,
 * contact_force · (own − other) / d · margin · log(1 + exp((own size + other size − d) / margin)). A box of actions pushes
 * with (right − left, up − down) of the force of a moving action.
 * A velocity above the top speed of an agent is shortened to it. Two bodies at exactly the same point do not push each
 * other (MPE2 divides by zero there).
 *
 * @source mpe2/_mpe_utils/core.py: World.integrate_state, World.get_collision_force; simple_env.py: SimpleEnv._set_action
 */
export class Physics {
  private readonly state: State;
  private readonly damping: Float64Array;
  private readonly timeStep: Float64Array;
  private readonly contactForce: Float64Array;
  private readonly contactMargin: Float64Array;
  private readonly landmarkSize: Float64Array | null;
  private readonly hasTopSpeeds: boolean;
  private readonly bodies: readonly BodyColumns[];
  private readonly speed: readonly Float64Array[];
  /** Shape [B N] each: radius, mass, force of a moving action, and top speed of every agent. */
  private readonly size: Float64Array;
  private readonly mass: Float64Array;
  private readonly thrust: Float64Array;
  private readonly maxSpeed: Float64Array;
  /** Shape [B] each: square of the distance beyond which no two agents, no agent and landmark, push each other. */
  private readonly agentReachSquared: Float64Array;
  private readonly landmarkReachSquared: Float64Array;
  /** Shape [N] each: forces on the agents of the environment being advanced. */
  private readonly forceX: Float64Array;
  private readonly forceY: Float64Array;

  constructor(state: State, columns: ParameterColumns, { seats, landmarkSize }: Bodies) {
    const agents = state.environmentCount * state.seatCount;
    this.state = state;
    this.damping = columns.column('rules.damping');
    this.timeStep = columns.column('rules.time_step');
    this.contactForce = columns.column('rules.contact_force');
    this.contactMargin = columns.column('rules.contact_margin');
    this.landmarkSize = landmarkSize === undefined ? null : columns.column(landmarkSize);
    this.hasTopSpeeds = seats.some(({ maxSpeed }) => maxSpeed !== undefined);
    this.bodies = seats.map(({ size, mass, acceleration, maxSpeed }) => ({
      size: columns.column(size),
      mass: columns.column(mass),
      acceleration: columns.column(acceleration),
      maxSpeed: maxSpeed === undefined ? null : columns.column(maxSpeed),
    }));
    this.speed = seats.map((_, seat) => columns.column(`partners.${seat}.speed`));
    this.size = new Float64Array(agents);
    this.mass = new Float64Array(agents);
    this.thrust = new Float64Array(agents);
    this.maxSpeed = new Float64Array(agents);
    this.agentReachSquared = new Float64Array(state.environmentCount);
    this.landmarkReachSquared = new Float64Array(state.environmentCount);
    this.forceX = new Float64Array(state.seatCount);
    this.forceY = new Float64Array(state.seatCount);
  }

  /** Takes over the parameters of an environment. Seats driven from outside move at full speed. */
  begin(environment: number): void {
    const { seatCount, external } = this.state;
    let largest = 0;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const agent = environment * seatCount + seat;
      const body = this.bodies[seat]!;
      const speed = external[agent] === 1 ? 1 : this.speed[seat]![environment]!;
      this.size[agent] = body.size[environment]!;
      this.mass[agent] = body.mass[environment]!;
      this.thrust[agent] = body.acceleration[environment]! * speed;
      this.maxSpeed[agent] = body.maxSpeed === null ? Infinity : body.maxSpeed[environment]! * speed;
      largest = Math.max(largest, this.size[agent]);
    }
    const softness = CONTACT_REACH_MARGINS * this.contactMargin[environment]!;
    const landmarkSize = this.landmarkSize === null ? 0 : this.landmarkSize[environment]!;
    this.agentReachSquared[environment] = (largest + largest + softness) ** 2;
    this.landmarkReachSquared[environment] = (largest + landmarkSize + softness) ** 2;
  }

  /** Moves every agent of every environment by one step, under the actions in `state.action`. */
  advance(): void {
    const { environmentCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      this.applyActions(environment);
      this.applyAgentContacts(environment);
      if (this.landmarkSize !== null) this.applyLandmarkContacts(environment, this.landmarkSize[environment]!);
      this.integrate(environment);
      if (this.hasTopSpeeds) this.limitSpeeds(environment);
    }
  }

  private applyActions(environment: number): void {
    const { seatCount, action, actionSize } = this.state;
    const { thrust, forceX, forceY } = this;
    const first = environment * seatCount;
    if (actionSize > 1) {
      this.applyShares(environment);
      return;
    }
    for (let seat = 0; seat < seatCount; seat += 1) {
      const chosen = action[first + seat]!;
      forceX[seat] = DIRECTION_X[chosen]! * thrust[first + seat]!;
      forceY[seat] = DIRECTION_Y[chosen]! * thrust[first + seat]!;
    }
  }

  /** The numbers of a box are single, and so is their difference, as NumPy subtracts them. */
  private applyShares(environment: number): void {
    const { seatCount, action, actionSize } = this.state;
    const { thrust, forceX, forceY } = this;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const agent = environment * seatCount + seat;
      const at = agent * actionSize;
      forceX[seat] = Math.fround(action[at + 2]! - action[at + 1]!) * thrust[agent]!;
      forceY[seat] = Math.fround(action[at + 4]! - action[at + 3]!) * thrust[agent]!;
    }
  }

  private applyAgentContacts(environment: number): void {
    const { seatCount, x, y } = this.state;
    const { size, forceX, forceY } = this;
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

  private applyLandmarkContacts(environment: number, landmarkSize: number): void {
    const { seatCount, landmarkCount, x, y, landmarkX, landmarkY } = this.state;
    const { size, forceX, forceY } = this;
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

  private integrate(environment: number): void {
    const { seatCount, x, y, velocityX, velocityY } = this.state;
    const { forceX, forceY, mass } = this;
    const kept = 1 - this.damping[environment]!;
    const timeStep = this.timeStep[environment]!;
    const first = environment * seatCount;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const agent = first + seat;
      x[agent]! += velocityX[agent]! * timeStep;
      y[agent]! += velocityY[agent]! * timeStep;
      velocityX[agent] = velocityX[agent]! * kept + (forceX[seat]! / mass[agent]!) * timeStep;
      velocityY[agent] = velocityY[agent]! * kept + (forceY[seat]! / mass[agent]!) * timeStep;
    }
  }

  private limitSpeeds(environment: number): void {
    const { seatCount, velocityX, velocityY } = this.state;
    const { maxSpeed } = this;
    const end = (environment + 1) * seatCount;
    for (let agent = environment * seatCount; agent < end; agent += 1) {
      const alongX = velocityX[agent]!;
      const alongY = velocityY[agent]!;
      const speed = Math.sqrt(alongX * alongX + alongY * alongY);
      if (speed > maxSpeed[agent]!) {
        velocityX[agent] = (alongX / speed) * maxSpeed[agent]!;
        velocityY[agent] = (alongY / speed) * maxSpeed[agent]!;
      }
    }
  }
}

import type { ParameterColumns } from '../parameter-columns.ts';
import type { State } from './state.ts';

/** Direction of each action: none, left, right, down, up. */
const DIRECTION_X = Float64Array.of(0, -1, 1, 0, 0);
const DIRECTION_Y = Float64Array.of(0, 0, 0, -1, 1);

/**
 * Contacts are soft: agents repel one another a little before they touch. Beyond this many contact margins the force is
 * below 2e-28 of its scale, so it is left out, which is what makes agents that are apart cheap.
 */
const CONTACT_REACH_MARGINS = 64;

/** log(1 + exp(y)) as NumPy's logaddexp(0, y) computes it. */
function softPlus(y: number): number {
  if (y === 0) return Math.LN2;
  return y < 0 ? Math.log1p(Math.exp(y)) : y + Math.log1p(Math.exp(-y));
}

/**
 * The motion of MPE2 1.1.1, with every sum and product in its order:
 *
 *     position ← position + velocity · time_step
 *     velocity ← velocity · (1 − damping) + force / mass · time_step
 *
 * where the force is that of the action plus, for each other agent at distance d,
 * contact_force · (own − other) / d · margin · log(1 + exp((2 · agent_size − d) / margin)).
 * Two agents at exactly the same point do not push each other (MPE2 divides by zero there).
 *
 * @source mpe2/_mpe_utils/core.py: World.integrate_state, World.get_collision_force
 */
export class Physics {
  private readonly state: State;
  private readonly damping: Float64Array;
  private readonly acceleration: Float64Array;
  private readonly mass: Float64Array;
  private readonly timeStep: Float64Array;
  private readonly agentSize: Float64Array;
  private readonly contactForce: Float64Array;
  private readonly contactMargin: Float64Array;
  private readonly speed: readonly Float64Array[];
  /** Shape [B N]: force of a moving action. */
  private readonly thrust: Float64Array;
  /** Shape [N] each: forces on the agents of the environment being advanced. */
  private readonly forceX: Float64Array;
  private readonly forceY: Float64Array;

  constructor(state: State, columns: ParameterColumns) {
    this.state = state;
    this.damping = columns.column('rules.damping');
    this.acceleration = columns.column('rules.acceleration');
    this.mass = columns.column('rules.mass');
    this.timeStep = columns.column('rules.time_step');
    this.agentSize = columns.column('rules.agent_size');
    this.contactForce = columns.column('rules.contact_force');
    this.contactMargin = columns.column('rules.contact_margin');
    this.speed = Array.from({ length: state.seatCount }, (_, seat) => columns.column(`partners.${seat}.speed`));
    this.thrust = new Float64Array(state.environmentCount * state.seatCount);
    this.forceX = new Float64Array(state.seatCount);
    this.forceY = new Float64Array(state.seatCount);
  }

  /** Takes over the parameters of an environment. Seats driven from outside move at full speed. */
  begin(environment: number): void {
    const { seatCount, external } = this.state;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const agent = environment * seatCount + seat;
      const speed = external[agent] === 1 ? 1 : this.speed[seat]![environment]!;
      this.thrust[agent] = this.acceleration[environment]! * speed;
    }
  }

  /** Moves every agent of every environment by one step, under the actions in `state.action`. */
  advance(): void {
    const { environmentCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      this.applyActions(environment);
      this.applyContacts(environment);
      this.integrate(environment);
    }
  }

  private applyActions(environment: number): void {
    const { seatCount, action } = this.state;
    const { thrust, forceX, forceY } = this;
    const first = environment * seatCount;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const chosen = action[first + seat]!;
      forceX[seat] = DIRECTION_X[chosen]! * thrust[first + seat]!;
      forceY[seat] = DIRECTION_Y[chosen]! * thrust[first + seat]!;
    }
  }

  private applyContacts(environment: number): void {
    const { seatCount, x, y } = this.state;
    const touching = this.agentSize[environment]! + this.agentSize[environment]!;
    const reach = touching + CONTACT_REACH_MARGINS * this.contactMargin[environment]!;
    const reachSquared = reach * reach;
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
          const margin = this.contactMargin[environment]!;
          const penetration = softPlus(-(distance - touching) / margin) * margin;
          const stiffness = this.contactForce[environment]!;
          const pushX = ((stiffness * deltaX) / distance) * penetration;
          const pushY = ((stiffness * deltaY) / distance) * penetration;
          this.forceX[one]! += pushX;
          this.forceY[one]! += pushY;
          this.forceX[other]! -= pushX;
          this.forceY[other]! -= pushY;
        }
      }
    }
  }

  private integrate(environment: number): void {
    const { seatCount, x, y, velocityX, velocityY } = this.state;
    const { forceX, forceY } = this;
    const kept = 1 - this.damping[environment]!;
    const mass = this.mass[environment]!;
    const timeStep = this.timeStep[environment]!;
    const first = environment * seatCount;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const agent = first + seat;
      x[agent]! += velocityX[agent]! * timeStep;
      y[agent]! += velocityY[agent]! * timeStep;
      velocityX[agent] = velocityX[agent]! * kept + (forceX[seat]! / mass) * timeStep;
      velocityY[agent] = velocityY[agent]! * kept + (forceY[seat]! / mass) * timeStep;
    }
  }
}

import type { ParameterColumns } from '../parameter-columns.ts';
import { Contacts, type ContactSizes } from './contacts.ts';
import type { State } from './state.ts';

/** Direction of each action: none, left, right, down, up. */
const DIRECTION_X = Float64Array.of(0, -1, 1, 0, 0);
const DIRECTION_Y = Float64Array.of(0, 0, 0, -1, 1);

interface BodyColumns {
  readonly mass: Float64Array;
  readonly acceleration: Float64Array;
  readonly maxSpeed: Float64Array | null;
  /** Of a scripted partner on the seat: its share of the force and of the top speed. */
  readonly speed: Float64Array;
}

/** Paths of the parameters that say what the agent on a seat is like. */
export interface Body {
  readonly mass: string;
  readonly acceleration: string;
  /** Missing where nothing but the damping limits the speed. */
  readonly maxSpeed?: string;
}

/** The bodies of a world: one for each seat, null where nothing sets the agent in motion. */
export interface Bodies {
  readonly seats: readonly (Body | null)[];
  /** Missing where bodies pass through one another. */
  readonly contacts?: ContactSizes;
}

/**
 * The motion of MPE2 1.1.1, with every sum and product in its order:
 *
 *     position ← position + velocity · time_step
 *     velocity ← velocity · (1 − damping) + force / mass · time_step
 *
 * where the force is that of the action plus those of contacts. A box of actions pushes with (right − left, up − down) of
 * the force of a moving action. A velocity above the top speed of an agent is shortened to it.
 *
 * @source mpe2/_mpe_utils/core.py: World.integrate_state; simple_env.py: SimpleEnv._set_action
 */
export class Physics {
  private readonly state: State;
  private readonly damping: Float64Array;
  private readonly timeStep: Float64Array;
  private readonly contacts: Contacts | null;
  private readonly hasTopSpeeds: boolean;
  private readonly bodies: readonly (BodyColumns | null)[];
  /** Shape [B N] each: mass, force of a moving action, and top speed of every agent. */
  private readonly mass: Float64Array;
  private readonly thrust: Float64Array;
  private readonly maxSpeed: Float64Array;
  /** Shape [N] each: forces on the agents of the environment being advanced. */
  private readonly forceX: Float64Array;
  private readonly forceY: Float64Array;

  constructor(state: State, columns: ParameterColumns, { seats, contacts }: Bodies) {
    const agents = state.environmentCount * state.seatCount;
    this.state = state;
    this.damping = columns.column('rules.damping');
    this.timeStep = columns.column('rules.time_step');
    this.contacts = contacts === undefined ? null : new Contacts(state, columns, contacts);
    this.hasTopSpeeds = seats.some((body) => body?.maxSpeed !== undefined);
    this.bodies = seats.map((body, seat) => body && columnsOf(columns, body, seat));
    this.mass = new Float64Array(agents);
    this.thrust = new Float64Array(agents);
    this.maxSpeed = new Float64Array(agents);
    this.forceX = new Float64Array(state.seatCount);
    this.forceY = new Float64Array(state.seatCount);
  }

  /** Takes over the parameters of an environment. Seats driven from outside move at full speed. */
  begin(environment: number): void {
    const { seatCount, external } = this.state;
    this.contacts?.begin(environment);
    for (let seat = 0; seat < seatCount; seat += 1) {
      const agent = environment * seatCount + seat;
      const body = this.bodies[seat] as BodyColumns | null;
      const maxSpeed = body === null ? null : body.maxSpeed;
      const speed = body === null || external[agent] === 1 ? 1 : body.speed[environment]!;
      this.mass[agent] = body === null ? 1 : body.mass[environment]!;
      this.thrust[agent] = body === null ? 0 : body.acceleration[environment]! * speed;
      this.maxSpeed[agent] = maxSpeed === null ? Infinity : maxSpeed[environment]! * speed;
    }
  }

  /** Moves every agent of every environment by one step, under the actions in `state.action`. */
  advance(): void {
    const { environmentCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      this.applyActions(environment);
      this.contacts?.addForces(environment, this.forceX, this.forceY);
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

function columnsOf(columns: ParameterColumns, { mass, acceleration, maxSpeed }: Body, seat: number): BodyColumns {
  return {
    mass: columns.column(mass),
    acceleration: columns.column(acceleration),
    maxSpeed: maxSpeed === undefined ? null : columns.column(maxSpeed),
    speed: columns.column(`partners.${seat}.speed`),
  };
}

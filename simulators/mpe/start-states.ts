import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import type { Start } from './simulator-data.ts';
import type { State } from './state.ts';

interface PointColumns {
  readonly x: readonly Float64Array[];
  readonly y: readonly Float64Array[];
  readonly halfWidth: Float64Array;
}

/**
 * Draws the state an episode starts in: uniform about the simulator's start. Every number has its own place in the
 * stream, so two simulators with the same ranges start equal under the same key, whatever else differs.
 */
export class StartStates {
  private readonly state: State;
  private readonly agents: PointColumns;
  private readonly landmarks: PointColumns;
  private readonly velocities: PointColumns;
  private readonly stream = new RandomStream({ high: 0, low: 0 });

  constructor(state: State, columns: ParameterColumns) {
    const points = (kind: string, count: number, width: string): PointColumns => {
      const axis = (index: number) =>
        Array.from({ length: count }, (_, item) => columns.column(`scenarios.start.${kind}.${item}.${index}`));
      return { x: axis(0), y: axis(1), halfWidth: columns.column(`scenarios.${width}`) };
    };
    this.state = state;
    this.agents = points('agents', state.seatCount, 'agent_half_width');
    this.landmarks = points('landmarks', state.landmarkCount, 'landmark_half_width');
    this.velocities = points('velocities', state.seatCount, 'velocity_half_width');
  }

  /** Starts an episode under the key in the state. */
  draw(environment: number): void {
    const { keyHigh, keyLow, step, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    step[environment] = 0;
    this.clearActions(environment);
    this.stream.rekeyFolded(keyHigh[environment]!, keyLow[environment]!, PURPOSE.startState);
    this.drawPoints(environment, this.agents, x, y);
    this.drawPoints(environment, this.landmarks, landmarkX, landmarkY);
    this.drawPoints(environment, this.velocities, velocityX, velocityY);
  }

  /** Puts a given start in place of the one drawn. */
  place(environment: number, start: Start): void {
    const { seatCount, landmarkCount, step, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    const { action, actionSize } = this.state;
    step[environment] = start.step;
    action.set(start.last_actions.flat(), environment * seatCount * actionSize);
    for (let seat = 0; seat < seatCount; seat += 1) {
      const at = environment * seatCount + seat;
      [x[at], y[at]] = start.agents[seat]!;
      [velocityX[at], velocityY[at]] = start.velocities[seat]!;
    }
    for (let landmark = 0; landmark < landmarkCount; landmark += 1) {
      const at = environment * landmarkCount + landmark;
      [landmarkX[at], landmarkY[at]] = start.landmarks[landmark]!;
    }
  }

  private clearActions(environment: number): void {
    const { seatCount, action, actionSize } = this.state;
    action.fill(0, environment * seatCount * actionSize, (environment + 1) * seatCount * actionSize);
  }

  private drawPoints(environment: number, points: PointColumns, x: Float64Array, y: Float64Array): void {
    const halfWidth = points.halfWidth[environment]!;
    const count = points.x.length;
    for (let index = 0; index < count; index += 1) {
      const at = environment * count + index;
      x[at] = points.x[index]![environment]! + halfWidth * (2 * this.stream.nextUniform() - 1);
      y[at] = points.y[index]![environment]! + halfWidth * (2 * this.stream.nextUniform() - 1);
    }
  }
}

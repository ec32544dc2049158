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
    const points = (kind: string, width: string): PointColumns => {
      const axis = (index: number) =>
        Array.from({ length: state.seatCount }, (_, item) =>
          columns.column(`scenarios.start.${kind}.${item}.${index}`),
        );
      return { x: axis(0), y: axis(1), halfWidth: columns.column(`scenarios.${width}`) };
    };
    this.state = state;
    this.agents = points('agents', 'agent_half_width');
    this.landmarks = points('landmarks', 'landmark_half_width');
    this.velocities = points('velocities', 'velocity_half_width');
  }

  /** @param keyHigh, keyLow the episode's key */
  draw(environment: number, keyHigh: number, keyLow: number): void {
    const { step, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    step[environment] = 0;
    this.stream.rekeyFolded(keyHigh, keyLow, PURPOSE.startState);
    this.drawPoints(environment, this.agents, x, y);
    this.drawPoints(environment, this.landmarks, landmarkX, landmarkY);
    this.drawPoints(environment, this.velocities, velocityX, velocityY);
  }

  /** Puts a given start in place of the one drawn. */
  place(environment: number, start: Start): void {
    const { seatCount, step, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    step[environment] = start.step;
    for (let index = 0; index < seatCount; index += 1) {
      const at = environment * seatCount + index;
      [x[at], y[at]] = start.agents[index]!;
      [velocityX[at], velocityY[at]] = start.velocities[index]!;
      [landmarkX[at], landmarkY[at]] = start.landmarks[index]!;
    }
  }

  private drawPoints(environment: number, points: PointColumns, x: Float64Array, y: Float64Array): void {
    const halfWidth = points.halfWidth[environment]!;
    for (let index = 0; index < this.state.seatCount; index += 1) {
      const at = environment * this.state.seatCount + index;
      x[at] = points.x[index]![environment]! + halfWidth * (2 * this.stream.nextUniform() - 1);
      y[at] = points.y[index]![environment]! + halfWidth * (2 * this.stream.nextUniform() - 1);
    }
  }
}

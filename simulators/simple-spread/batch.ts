import { ThawError } from '../../schemas/errors.ts';
import type { Batch, Parameter } from '../contract.ts';
import { ParameterColumns } from '../parameter-columns.ts';
import type { Key } from '../random.ts';
import { ActionDelay } from './action-delay.ts';
import { Observer } from './observation.ts';
import type { Options } from './options.ts';
import { Partners } from './partners.ts';
import { Physics } from './physics.ts';
import { Rewards } from './rewards.ts';
import type { Start } from './simulator-data.ts';
import { StartStates } from './start-states.ts';
import { createState, type State } from './state.ts';

const ACTION_COUNT = 5;

/** B environments of simple_spread, stepped together. */
export class SpreadBatch implements Batch {
  readonly environmentCount: number;
  readonly external: Uint8Array;
  readonly rewards: Float64Array;
  readonly ended: Uint8Array;
  readonly truncated: Uint8Array;
  readonly success: Uint8Array;
  private readonly episodeStepsMax: number;
  private readonly current: State;
  private readonly columns: ParameterColumns;
  private readonly startStates: StartStates;
  private readonly partners: Partners;
  private readonly delay: ActionDelay;
  private readonly physics: Physics;
  private readonly judge: Rewards;
  private readonly observer: Observer;

  constructor(environmentCount: number, parameters: readonly Parameter[], options: Options) {
    const state = createState(environmentCount, options.agents);
    const columns = new ParameterColumns(environmentCount, parameters);
    this.environmentCount = environmentCount;
    this.external = state.external;
    this.rewards = new Float64Array(environmentCount * options.agents);
    this.ended = new Uint8Array(environmentCount);
    this.truncated = new Uint8Array(environmentCount);
    this.success = new Uint8Array(environmentCount);
    this.episodeStepsMax = options.episode_steps;
    this.current = state;
    this.columns = columns;
    this.startStates = new StartStates(state, columns);
    this.partners = new Partners(state, columns);
    this.delay = new ActionDelay(state, columns);
    this.physics = new Physics(state, columns);
    this.judge = new Rewards(state, columns);
    this.observer = new Observer(state, columns, options);
  }

  reset(environment: number, parameters: Float64Array, key: Key): void {
    this.columns.load(environment, parameters);
    this.startStates.draw(environment, key.high, key.low);
    this.partners.begin(environment, key.high, key.low);
    this.observer.begin(environment, key.high, key.low);
    this.delay.begin(environment);
    this.physics.begin(environment);
    this.clearOutcome(environment);
  }

  place(environment: number, start: unknown): void {
    const given = start as Start;
    this.startStates.place(environment, given);
    this.delay.restore(environment, given.pending_actions);
    this.clearOutcome(environment);
  }

  /** @throws DEFECT_INVARIANT when an action of a seat driven from outside is not 0 … 4 */
  step(actions: Int32Array): void {
    const { step } = this.current;
    this.chooseActions(actions);
    this.physics.advance();
    this.judge.judge(this.rewards, this.success);
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      step[environment]! += 1;
      this.truncated[environment] = step[environment]! >= this.episodeStepsMax ? 1 : 0;
    }
  }

  observe(_group: number, out: Float32Array | Float64Array): void {
    this.observer.observe(out);
  }

  observeFeatures(out: Float64Array): void {
    this.observer.observeFeatures(out);
  }

  state(environment: number): Start {
    const { seatCount, step, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.current;
    const first = environment * seatCount;
    const pairs = (xs: Float64Array, ys: Float64Array) =>
      Array.from({ length: seatCount }, (_, index): [number, number] => [xs[first + index]!, ys[first + index]!]);
    return {
      agents: pairs(x, y),
      velocities: pairs(velocityX, velocityY),
      landmarks: pairs(landmarkX, landmarkY),
      step: step[environment]!,
      pending_actions: this.delay.pending(environment),
    };
  }

  private chooseActions(actions: Int32Array): void {
    const { seatCount, action, external } = this.current;
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      for (let seat = 0; seat < seatCount; seat += 1) {
        const agent = environment * seatCount + seat;
        action[agent] =
          external[agent] === 1
            ? this.delay.exchange(environment, seat, legalAction(actions[agent]!))
            : this.partners.decide(environment, seat);
      }
    }
  }

  private clearOutcome(environment: number): void {
    const { seatCount } = this.current;
    this.rewards.fill(0, environment * seatCount, (environment + 1) * seatCount);
    this.truncated[environment] = 0;
    this.judge.judgeSuccess(environment, this.success);
  }
}

function legalAction(action: number): number {
  if (action >= 0 && action < ACTION_COUNT) return action;
  throw new ThawError('DEFECT_INVARIANT', `${action} is no action of simple_spread; they are 0 … ${ACTION_COUNT - 1}`);
}

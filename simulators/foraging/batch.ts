import { ThawError } from '../../schemas/errors.ts';
import type { ActionArray, Batch, Parameter } from '../contract.ts';
import { Chance } from '../chance.ts';
import { Foresight } from '../foresight.ts';
import { GivenActions } from '../given-actions.ts';
import { ParameterColumns } from '../parameter-columns.ts';
import type { Key } from '../random.ts';
import { FeatureObserver } from './features.ts';
import { Loading } from './loading.ts';
import { Movement } from './movement.ts';
import { Observer } from './observation.ts';
import type { Options } from './options.ts';
import { Partners } from './partners.ts';
import { Sight } from './sight.ts';
import type { Start } from './simulator-data.ts';
import { StartStates } from './start-states.ts';
import { ACTION_COUNT, createState, isLegal, type State } from './state.ts';

/** `World.rewardLag`: a load is paid in its own step. */
export const REWARD_LAG = 0;

/** B environments of foraging, stepped together. */
export class ForagingBatch implements Batch {
  readonly environmentCount: number;
  readonly external: Uint8Array;
  readonly actions: Int32Array;
  readonly rewards: Float64Array;
  readonly ended: Uint8Array;
  readonly truncated: Uint8Array;
  readonly success: Uint8Array;
  /** What the scripted policies would do now; see `Partners.preferredAction`. */
  readonly partners: Partners;
  private readonly episodeStepsMax: number;
  private readonly current: State;
  private readonly columns: ParameterColumns;
  private readonly startStates: StartStates;
  private readonly chance: Chance;
  private readonly given: GivenActions;
  private readonly movement: Movement;
  private readonly loading: Loading;
  private readonly observer: Observer;
  private readonly featureObserver: FeatureObserver;
  private readonly foresight: Foresight;

  constructor(environmentCount: number, parameters: readonly Parameter[], options: Options) {
    const { players: seatCount, food: foodCount, field_size: size } = options;
    const state = createState({ environmentCount, seatCount, foodCount, size });
    const columns = new ParameterColumns(environmentCount, parameters);
    const chance = new Chance(state, state.stride * state.stride);
    const sight = new Sight(state, columns);
    this.environmentCount = environmentCount;
    this.external = state.external;
    this.actions = state.action;
    this.rewards = new Float64Array(environmentCount * seatCount);
    this.ended = new Uint8Array(environmentCount);
    this.truncated = new Uint8Array(environmentCount);
    this.success = new Uint8Array(environmentCount);
    this.episodeStepsMax = options.episode_steps;
    this.current = state;
    this.columns = columns;
    this.chance = chance;
    this.startStates = new StartStates(state, columns);
    this.partners = new Partners(state, columns, sight);
    this.given = new GivenActions(state, columns, chance);
    this.movement = new Movement(state, columns, chance);
    this.loading = new Loading(state, columns, chance);
    this.observer = new Observer(state, columns, sight, chance);
    this.featureObserver = new FeatureObserver(state);
    this.foresight = new Foresight(this, {
      changed: [
        ...[state.step, state.cell, state.field, state.foodLevel, state.action, this.given.given, this.given.last],
        ...[this.rewards, this.ended, this.truncated, this.success],
      ],
      lag: REWARD_LAG,
      delay: columns.column('perturbations.action_delay'),
    });
  }

  reset(environment: number, parameters: Float64Array, key: Key): void {
    this.columns.load(environment, parameters);
    this.startStates.draw(environment, key.high, key.low);
    this.chance.begin(environment, key.high, key.low);
    this.partners.begin(environment, key.high, key.low);
    this.given.begin(environment);
    this.clearOutcome(environment);
  }

  place(environment: number, start: unknown): void {
    const told = start as Start;
    this.startStates.place(environment, told);
    this.given.restore(environment, told.pending_actions, told.last_actions);
    this.clearOutcome(environment);
  }

  /** @throws DEFECT_INVARIANT when an action of a seat driven from outside is not 0 … 5 */
  step(actions: ActionArray): void {
    const { step } = this.current;
    this.chooseActions(actions);
    this.movement.advance();
    this.loading.load(this.rewards);
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      step[environment]! += 1;
      const isDone = this.loading.isDone(environment);
      this.success[environment] = isDone ? 1 : 0;
      this.ended[environment] = isDone ? 1 : 0;
      this.truncated[environment] = !isDone && step[environment]! >= this.episodeStepsMax ? 1 : 0;
    }
  }

  observe(_group: number, out: Float32Array | Float64Array): void {
    this.observer.observe(out);
  }

  actionMask(_group: number, out: Uint8Array): void {
    const { seatCount } = this.current;
    let next = 0;
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      for (let seat = 0; seat < seatCount; seat += 1) {
        for (let action = 0; action < ACTION_COUNT; action += 1) {
          out[next++] = isLegal(this.current, environment, seat, action) ? 1 : 0;
        }
      }
    }
  }

  counterfactualRewards(seat: number | null, actions: ActionArray, rewards: Float64Array): void {
    this.foresight.tell(seat, actions, rewards);
  }

  observeFeatures(out: Float64Array): void {
    this.featureObserver.observe(out);
  }

  state(environment: number): Start {
    const { seatCount, foodCount, cell, level, foodCell, foodLevel, rowOf, columnOf, spawned, step } = this.current;
    const triple = (at: number, levelThere: number): [number, number, number] => [
      rowOf[at]!,
      columnOf[at]!,
      levelThere,
    ];
    const indices = (count: number) => Array.from({ length: count }, (_, index) => environment * count + index);
    return {
      players: indices(seatCount).map((player) => triple(cell[player]!, level[player]!)),
      food: indices(foodCount)
        .filter((item) => foodLevel[item]! > 0)
        .map((item) => triple(foodCell[item]!, foodLevel[item]!)),
      spawned: spawned[environment]!,
      step: step[environment]!,
      last_actions: this.given.lastActions(environment),
      pending_actions: this.given.pending(environment),
    };
  }

  private chooseActions(actions: ActionArray): void {
    const { seatCount, action, external } = this.current;
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      for (let seat = 0; seat < seatCount; seat += 1) {
        const player = environment * seatCount + seat;
        action[player] =
          external[player] === 1
            ? this.given.exchange(environment, seat, knownAction(actions[player]!))
            : this.partners.decide(environment, seat);
      }
    }
  }

  private clearOutcome(environment: number): void {
    const { seatCount } = this.current;
    this.rewards.fill(0, environment * seatCount, (environment + 1) * seatCount);
    this.ended[environment] = 0;
    this.truncated[environment] = 0;
    this.success[environment] = this.loading.isDone(environment) ? 1 : 0;
  }
}

function knownAction(action: number): number {
  if (action >= 0 && action < ACTION_COUNT) return action;
  throw new ThawError('DEFECT_INVARIANT', `${action} is no action of foraging; they are 0 … ${ACTION_COUNT - 1}`);
}

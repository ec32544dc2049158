import { ThawError } from '../../schemas/errors.ts';
import { Chance } from '../chance.ts';
import type { ActionArray, Batch, Parameter } from '../contract.ts';
import { Foresight } from '../foresight.ts';
import { GivenActions } from '../given-actions.ts';
import { ParameterColumns } from '../parameter-columns.ts';
import type { Key } from '../random.ts';
import { Cooking } from './cooking.ts';
import { FeatureObserver } from './features.ts';
import type { FloorPlan } from './floor-plan.ts';
import { Interactions } from './interactions.ts';
import { ITEM } from './items.ts';
import { Movement } from './movement.ts';
import { Observer } from './observation.ts';
import { Partners } from './partners.ts';
import type { Start } from './simulator-data.ts';
import { StartStates } from './start-states.ts';
import { ACTION_COUNT, COLD, createState, LIT, SEATS, type State } from './state.ts';
import { Worth } from './worth.ts';

/** `World.rewardLag`: an interaction is paid in its own step. */
export const REWARD_LAG = 0;

/** B kitchens, stepped together. */
export class KitchenBatch implements Batch {
  readonly environmentCount: number;
  readonly external: Uint8Array;
  readonly actions: Int32Array;
  readonly rewards: Float64Array;
  readonly ended: Uint8Array;
  readonly truncated: Uint8Array;
  readonly success: Uint8Array;
  private readonly episodeStepsMax: number;
  private readonly current: State;
  private readonly columns: ParameterColumns;
  private readonly chance: Chance;
  private readonly startStates: StartStates;
  private readonly partners: Partners;
  private readonly given: GivenActions;
  private readonly interactions: Interactions;
  private readonly movement: Movement;
  private readonly cooking: Cooking;
  private readonly observer: Observer;
  private readonly featureObserver: FeatureObserver;
  private readonly foresight: Foresight;

  constructor(environmentCount: number, parameters: readonly Parameter[], plan: FloorPlan, episodeStepsMax: number) {
    const state = createState(environmentCount, plan);
    const columns = new ParameterColumns(environmentCount, parameters);
    const worth = new Worth(columns);
    this.environmentCount = environmentCount;
    this.external = state.external;
    this.actions = state.action;
    this.rewards = new Float64Array(environmentCount * SEATS);
    this.ended = new Uint8Array(environmentCount);
    this.truncated = new Uint8Array(environmentCount);
    this.success = new Uint8Array(environmentCount);
    this.episodeStepsMax = episodeStepsMax;
    this.current = state;
    this.columns = columns;
    this.chance = new Chance(state, SEATS);
    this.startStates = new StartStates(state, columns);
    this.partners = new Partners(state, columns, worth);
    this.given = new GivenActions(state, columns, this.chance);
    this.interactions = new Interactions(state, columns, this.chance, worth);
    this.movement = new Movement(state, columns, this.chance);
    this.cooking = new Cooking(state, columns, worth);
    this.observer = new Observer(state, columns, worth, this.chance);
    this.featureObserver = new FeatureObserver(state);
    this.foresight = new Foresight(this, {
      changed: [
        ...[state.step, state.soups, state.cell, state.facing, state.held, state.item, state.cooking, state.action],
        ...[this.given.given, this.given.last, this.rewards, this.ended, this.truncated, this.success],
      ],
      lag: REWARD_LAG,
      delay: columns.column('perturbations.action_delay'),
    });
  }

  reset(environment: number, parameters: Float64Array, key: Key): void {
    this.columns.load(environment, parameters);
    this.chance.begin(environment, key.high, key.low);
    this.given.begin(environment);
    this.startStates.draw(environment, key.high, key.low);
    // Partners look at the layout, which the start brings.
    this.partners.begin(environment, key.high, key.low);
    this.clearOutcome(environment);
  }

  place(environment: number, start: unknown): void {
    const told = start as Start;
    this.startStates.place(environment, told);
    this.partners.enter(environment);
    this.given.restore(environment, told.pending_actions, told.last_actions);
    this.clearOutcome(environment);
  }

  /** @throws DEFECT_INVARIANT when an action of a seat driven from outside is not 0 … 5 */
  step(actions: ActionArray): void {
    const { step, soups } = this.current;
    this.chooseActions(actions);
    this.interactions.interact(this.rewards);
    this.movement.advance();
    this.cooking.advance();
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      step[environment]! += 1;
      this.success[environment] = soups[environment]! > 0 ? 1 : 0;
      this.truncated[environment] = step[environment]! >= this.episodeStepsMax ? 1 : 0;
    }
  }

  observe(_group: number, out: Float32Array | Float64Array): void {
    this.observer.observe(out);
  }

  counterfactualRewards(seat: number | null, actions: ActionArray, rewards: Float64Array): void {
    this.foresight.tell(seat, actions, rewards);
  }

  observeFeatures(out: Float64Array): void {
    this.featureObserver.observe(out);
  }

  state(environment: number): Start {
    const { cell, facing, held, item, cooking, layout, plan, soups, step } = this.current;
    const placeOf = (at: number): [number, number] => [Math.floor(at / plan.stride), at % plan.stride];
    const first = environment * plan.cellCount;
    const cells = plan.stations[layout[environment]!]!;
    return {
      layout: layout[environment]!,
      players: Array.from({ length: SEATS }, (_, seat) => {
        const cook = environment * SEATS + seat;
        return [...placeOf(cell[cook]!), facing[cook]!, held[cook]!];
      }),
      objects: Array.from(cells)
        .filter((at) => item[first + at] !== ITEM.nothing)
        .map((at) => {
          const isOn = cooking[first + at] !== COLD;
          return [...placeOf(at), item[first + at]!, isOn ? cooking[first + at]! - LIT : 0];
        }),
      soups: soups[environment]!,
      step: step[environment]!,
      last_actions: this.given.lastActions(environment),
      pending_actions: this.given.pending(environment),
    };
  }

  private chooseActions(actions: ActionArray): void {
    const { action, external } = this.current;
    for (let cook = 0; cook < action.length; cook += 1) {
      const seat = cook % SEATS;
      const environment = (cook - seat) / SEATS;
      action[cook] =
        external[cook] === 1
          ? this.given.exchange(environment, seat, knownAction(actions[cook]!))
          : this.partners.decide(environment, seat);
    }
  }

  private clearOutcome(environment: number): void {
    this.rewards.fill(0, environment * SEATS, (environment + 1) * SEATS);
    this.truncated[environment] = 0;
    this.success[environment] = this.current.soups[environment]! > 0 ? 1 : 0;
  }
}

function knownAction(action: number): number {
  if (action >= 0 && action < ACTION_COUNT) return action;
  throw new ThawError('DEFECT_INVARIANT', `${action} is no action of kitchen; they are 0 … ${ACTION_COUNT - 1}`);
}

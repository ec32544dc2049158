import { ThawError } from '../../schemas/errors.ts';
import type { ActionArray, Batch, Parameter } from '../contract.ts';
import { Foresight } from '../foresight.ts';
import { ParameterColumns } from '../parameter-columns.ts';
import type { Key } from '../random.ts';
import { ActionDelay } from './action-delay.ts';
import { tellActions, writeMove } from './moves.ts';
import { Observer, type Sense } from './observation.ts';
import { type Bodies, Physics } from './physics.ts';
import type { Start } from './simulator-data.ts';
import { StartStates } from './start-states.ts';
import { createState, type State } from './state.ts';
import { StickyActions } from './sticky-actions.ts';

/**
 * `World.rewardLag`: agents move by the velocity that they had, so what pushes them now shows in their velocity, and only in
 * the next step in where they are, which is what all rewards are about.
 */
export const REWARD_LAG = 1;

/** The scripted partners of a family. */
export interface Partners {
  /** Seats the partners of an environment for an episode, and sets `state.external`. */
  begin(environment: number): void;
  /** What the scripted partner of a seat does now: an action of the seat. */
  decide(environment: number, seat: number): number;
}

/** The rewards of a family, and its success. */
export interface Judge {
  /** Fills rewards, shape [B N], and success, shape [B], after a step of every environment. */
  judge(rewards: Float64Array, success: Uint8Array): void;
  /**
   * Sets the success of an environment that starts, or goes on from a state that was told.
   * @param start what was told; missing at the start of an episode
   */
  begin(environment: number, success: Uint8Array, start?: Start): void;
  /** What a state tells beyond the positions, so that the episode can go on from it. */
  told(environment: number, success: Uint8Array): Readonly<Record<string, unknown>>;
}

/** What happens in a world beside the motion of bodies, such as talk. */
export interface Happenings {
  /** What a step changes, and later steps or observations read. */
  readonly changed: readonly (Float64Array | Int32Array)[];
  /** Begins an episode, or goes on from a state that was told. @param start what was told */
  begin(environment: number, start?: Start): void;
  /** After everybody has acted and moved, in every environment. */
  advance(): void;
  /** What a state tells of it. */
  told(environment: number): Readonly<Record<string, unknown>>;
}

/** What a batch of a family is made of beside bodies that move. */
export interface MpeParts {
  readonly happenings?: Happenings;
  readonly partners: Partners;
  readonly judge: Judge;
  /** One for each group of seats. */
  readonly senses: readonly Sense[];
  /** Fills features, shape [B N F]. */
  observeFeatures(out: Float64Array): void;
}

/** What a family adds to the world of MPE2. */
export interface MpeWorld {
  readonly family: string;
  readonly seatCount: number;
  readonly landmarkCount: number;
  readonly episodeStepsMax: number;
  /** Whether actions say how much of each move, not which. */
  readonly isContinuous: boolean;
  /** Shape [N]: number of moves of each seat; five each where it is left out. */
  readonly moveCounts?: readonly number[];
  readonly parameters: readonly Parameter[];
  readonly bodies: Bodies;
  createParts(state: State, columns: ParameterColumns): MpeParts;
}

/** B environments of a world of MPE2, stepped together. */
export class MpeBatch implements Batch {
  readonly environmentCount: number;
  readonly external: Uint8Array;
  readonly actions: ActionArray;
  readonly rewards: Float64Array;
  readonly ended: Uint8Array;
  readonly truncated: Uint8Array;
  readonly success: Uint8Array;
  private readonly world: MpeWorld;
  private readonly current: State;
  private readonly columns: ParameterColumns;
  private readonly startStates: StartStates;
  private readonly parts: MpeParts;
  /** Shape [N]: the largest action of each seat; where actions are boxes, the largest number of one. */
  private readonly highest: Float64Array;
  /** Shape [B]: 1 where actions take effect at once as they are given, which is what makes the usual case cheap. */
  private readonly isDirect: Uint8Array;
  private readonly delay: ActionDelay;
  private readonly sticky: StickyActions;
  private readonly physics: Physics;
  private readonly observers: readonly Observer[];
  private readonly foresight: Foresight;

  constructor(environmentCount: number, world: MpeWorld) {
    const state = createState({ ...world, environmentCount });
    const columns = new ParameterColumns(environmentCount, world.parameters);
    this.environmentCount = environmentCount;
    this.external = state.external;
    this.actions = state.action;
    this.rewards = new Float64Array(environmentCount * world.seatCount);
    this.ended = new Uint8Array(environmentCount);
    this.truncated = new Uint8Array(environmentCount);
    this.success = new Uint8Array(environmentCount);
    this.world = world;
    this.current = state;
    this.columns = columns;
    this.startStates = new StartStates(state, columns);
    this.parts = world.createParts(state, columns);
    this.highest = Float64Array.from(state.moveCounts, (count) => (world.isContinuous ? 1 : count - 1));
    this.isDirect = new Uint8Array(environmentCount);
    this.delay = new ActionDelay(state, columns);
    this.sticky = new StickyActions(state, columns);
    this.physics = new Physics(state, columns, world.bodies);
    this.observers = this.parts.senses.map((sense) => new Observer(state, columns, sense));
    this.foresight = new Foresight(this, {
      changed: [
        ...[state.step, state.x, state.y, state.velocityX, state.velocityY, state.action, this.delay.given],
        ...[this.rewards, this.truncated, this.success, ...(this.parts.happenings?.changed ?? [])],
      ],
      lag: REWARD_LAG,
      delay: columns.column('perturbations.action_delay'),
    });
  }

  reset(environment: number, parameters: Float64Array, key: Key): void {
    this.columns.load(environment, parameters);
    this.current.keyHigh[environment] = key.high;
    this.current.keyLow[environment] = key.low;
    this.startStates.draw(environment);
    this.parts.happenings?.begin(environment);
    this.parts.partners.begin(environment);
    this.delay.begin(environment);
    this.isDirect[environment] = this.delay.isOff(environment) && this.sticky.isOff(environment) ? 1 : 0;
    this.physics.begin(environment);
    this.clearOutcome(environment);
    this.parts.judge.begin(environment, this.success);
  }

  place(environment: number, start: unknown): void {
    const given = start as Start;
    this.startStates.place(environment, given);
    this.delay.restore(environment, given.pending_actions);
    this.parts.happenings?.begin(environment, given);
    this.clearOutcome(environment);
    this.parts.judge.begin(environment, this.success, given);
  }

  /** @throws DEFECT_INVARIANT when an action of a seat driven from outside is none of its moves, a number of a box not 0 … 1 */
  step(actions: ActionArray): void {
    const { step } = this.current;
    this.chooseActions(actions);
    this.physics.advance();
    this.parts.happenings?.advance();
    this.parts.judge.judge(this.rewards, this.success);
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      step[environment]! += 1;
      this.truncated[environment] = step[environment]! >= this.world.episodeStepsMax ? 1 : 0;
    }
  }

  observe(group: number, out: Float32Array | Float64Array): void {
    this.observers[group]!.observe(out);
  }

  counterfactualRewards(seat: number | null, actions: ActionArray, rewards: Float64Array): void {
    this.foresight.tell(seat, actions, rewards);
  }

  observeFeatures(out: Float64Array): void {
    this.parts.observeFeatures(out);
  }

  state(environment: number): Readonly<Record<string, unknown>> {
    const { seatCount, landmarkCount, step, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.current;
    const { action, actionSize } = this.current;
    const pairs = (xs: Float64Array, ys: Float64Array, count: number) =>
      Array.from({ length: count }, (_, index): [number, number] => [
        xs[environment * count + index]!,
        ys[environment * count + index]!,
      ]);
    return {
      agents: pairs(x, y, seatCount),
      velocities: pairs(velocityX, velocityY, seatCount),
      landmarks: pairs(landmarkX, landmarkY, landmarkCount),
      step: step[environment]!,
      pending_actions: this.delay.pending(environment),
      last_actions: tellActions(action, environment * seatCount * actionSize, seatCount, actionSize),
      ...this.parts.happenings?.told(environment),
      ...this.parts.judge.told(environment, this.success),
    } satisfies Start;
  }

  private chooseActions(actions: ActionArray): void {
    const { seatCount, action, actionSize, external } = this.current;
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      for (let seat = 0; seat < seatCount; seat += 1) {
        const agent = environment * seatCount + seat;
        if (external[agent] === 1) this.receive(environment, seat, actions);
        else writeMove(this.parts.partners.decide(environment, seat), action, agent, actionSize);
      }
    }
  }

  /** Takes what a seat is given from outside, and has it do what is due. */
  private receive(environment: number, seat: number, actions: ActionArray): void {
    const { seatCount, action, actionSize } = this.current;
    const first = (environment * seatCount + seat) * actionSize;
    this.checkAction(seat, actions, first);
    if (this.isDirect[environment] === 1) {
      for (let at = first; at < first + actionSize; at += 1) action[at] = actions[at]!;
      return;
    }
    this.delay.keep(environment, seat, actions);
    if (!this.sticky.repeats(environment, seat)) this.delay.take(environment, seat);
  }

  private checkAction(seat: number, actions: ActionArray, first: number): void {
    const highest = this.highest[seat]!;
    for (let at = first; at < first + this.current.actionSize; at += 1) {
      if (actions[at]! >= 0 && actions[at]! <= highest) continue;
      throw new ThawError(
        'DEFECT_INVARIANT',
        `${actions[at]} is no action of seat ${seat} of ${this.world.family}; they are 0 … ${highest}`,
      );
    }
  }

  private clearOutcome(environment: number): void {
    const { seatCount } = this.current;
    this.rewards.fill(0, environment * seatCount, (environment + 1) * seatCount);
    this.truncated[environment] = 0;
  }
}

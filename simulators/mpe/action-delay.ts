import type { ActionArray } from '../contract.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { createMoves, tellActions, type ToldAction } from './moves.ts';
import { PERTURBATIONS } from './parameters.ts';
import type { State } from './state.ts';

const SLOTS = PERTURBATIONS.action_delay.high + 1;

/** Holds back the actions given from outside for `perturbations.action_delay` steps; until then an agent idles. */
export class ActionDelay {
  /** Shape [B SLOTS N W]: the action given at step t is kept in slot t mod SLOTS. */
  readonly given: ActionArray;
  private readonly state: State;
  private readonly delay: Float64Array;

  constructor(state: State, columns: ParameterColumns) {
    const { environmentCount, seatCount, actionSize } = state;
    this.state = state;
    this.delay = columns.column('perturbations.action_delay');
    this.given = createMoves(environmentCount * SLOTS * seatCount, actionSize > 1);
  }

  /** Forgets what was given in the episode before. */
  begin(environment: number): void {
    const size = SLOTS * this.state.seatCount * this.state.actionSize;
    this.given.fill(0, environment * size, (environment + 1) * size);
  }

  isOff(environment: number): boolean {
    return this.delay[environment] === 0;
  }

  /** Keeps what a seat is given now. @param actions shape [B N W] */
  keep(environment: number, seat: number, actions: ActionArray): void {
    const { step, seatCount, actionSize } = this.state;
    const from = (environment * seatCount + seat) * actionSize;
    const to = this.slot(environment, step[environment]!) + seat * actionSize;
    for (let index = 0; index < actionSize; index += 1) this.given[to + index] = actions[from + index]!;
  }

  /** Puts what is due now into `state.action`. */
  take(environment: number, seat: number): void {
    const { step, seatCount, action, actionSize } = this.state;
    const from = this.slot(environment, step[environment]! - this.delay[environment]!) + seat * actionSize;
    const to = (environment * seatCount + seat) * actionSize;
    for (let index = 0; index < actionSize; index += 1) action[to + index] = this.given[from + index]!;
  }

  /** Actions given but not yet in effect, the oldest first: at most `delay` joint actions. */
  pending(environment: number): ToldAction[][] {
    const { step, seatCount, actionSize } = this.state;
    const now = step[environment]!;
    const count = Math.min(now, this.delay[environment]!);
    return Array.from({ length: count }, (_, index) =>
      tellActions(this.given, this.slot(environment, now - count + index), seatCount, actionSize),
    );
  }

  /** Takes over what `pending` told of another environment at the same step. */
  restore(environment: number, pending: readonly (readonly ToldAction[])[]): void {
    const first = this.state.step[environment]! - pending.length;
    this.begin(environment);
    pending.forEach((actions, index) => this.given.set(actions.flat(), this.slot(environment, first + index)));
  }

  private slot(environment: number, step: number): number {
    const { seatCount, actionSize } = this.state;
    return (environment * SLOTS + ((step + SLOTS) % SLOTS)) * seatCount * actionSize;
  }
}

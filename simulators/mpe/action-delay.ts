import type { ParameterColumns } from '../parameter-columns.ts';
import { PERTURBATIONS } from './parameters.ts';
import type { State } from './state.ts';

const SLOTS = PERTURBATIONS.action_delay.high + 1;

/** Holds back the actions given from outside for `perturbations.action_delay` steps; until then an agent idles. */
export class ActionDelay {
  private readonly state: State;
  private readonly delay: Float64Array;
  /** Shape [B SLOTS N]: the action given at step t is kept in slot t mod SLOTS. */
  private readonly given: Uint8Array;

  constructor(state: State, columns: ParameterColumns) {
    this.state = state;
    this.delay = columns.column('perturbations.action_delay');
    this.given = new Uint8Array(state.environmentCount * SLOTS * state.seatCount);
  }

  /** Forgets what was given in the episode before. */
  begin(environment: number): void {
    const size = SLOTS * this.state.seatCount;
    this.given.fill(0, environment * size, (environment + 1) * size);
  }

  isOff(environment: number): boolean {
    return this.delay[environment] === 0;
  }

  /** The action that takes effect now. @param action given now, 0 … 4 */
  exchange(environment: number, seat: number, action: number): number {
    const delay = this.delay[environment]!;
    if (delay === 0) return action;
    const step = this.state.step[environment]!;
    this.given[this.slot(environment, step) + seat] = action;
    return this.given[this.slot(environment, step - delay) + seat]!;
  }

  /** Actions given but not yet in effect, the oldest first: at most `delay` joint actions. */
  pending(environment: number): number[][] {
    const step = this.state.step[environment]!;
    const count = Math.min(step, this.delay[environment]!);
    return Array.from({ length: count }, (_, index) => {
      const slot = this.slot(environment, step - count + index);
      return Array.from(this.given.subarray(slot, slot + this.state.seatCount));
    });
  }

  /** Takes over what `pending` told of another environment at the same step. */
  restore(environment: number, pending: readonly (readonly number[])[]): void {
    const first = this.state.step[environment]! - pending.length;
    this.begin(environment);
    pending.forEach((actions, index) => this.given.set(actions, this.slot(environment, first + index)));
  }

  private slot(environment: number, step: number): number {
    return (environment * SLOTS + ((step + SLOTS) % SLOTS)) * this.state.seatCount;
  }
}

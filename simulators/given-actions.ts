import type { Chance } from './chance.ts';
import type { ParameterColumns } from './parameter-columns.ts';
import { PERTURBATIONS } from './perturbation-entries.ts';

// Letters: B environments, N seats.

/** Of every world the action that does nothing. */
const IDLE = 0;

/** Where actions are given. */
interface Acting {
  readonly environmentCount: number;
  readonly seatCount: number;
  /** Shape [B]: steps of the episode that are over. */
  readonly step: Int32Array;
}

/**
 * What becomes of the actions given from outside: each takes effect `action_delay` steps later, players idling until
 * then; and with probability `sticky_actions` a seat repeats what it did the step before in place of what is due.
 */
export class GivenActions {
  private readonly state: Acting;
  private readonly chance: Chance;
  private readonly delay: Float64Array;
  private readonly sticky: Float64Array;
  /** Shape [B D N], D = the longest delay + 1: what was given at step t stands in row t mod D. */
  readonly given: Uint8Array;
  private readonly rowCount = PERTURBATIONS.action_delay.high + 1;
  /** Shape [B N]: what each seat did the step before. */
  readonly last: Uint8Array;

  constructor(state: Acting, columns: ParameterColumns, chance: Chance) {
    this.state = state;
    this.chance = chance;
    this.delay = columns.column('perturbations.action_delay');
    this.sticky = columns.column('perturbations.sticky_actions');
    this.given = new Uint8Array(state.environmentCount * this.rowCount * state.seatCount);
    this.last = new Uint8Array(state.environmentCount * state.seatCount);
  }

  /** Forgets the episode before. */
  begin(environment: number): void {
    const { seatCount } = this.state;
    const size = this.rowCount * seatCount;
    this.given.fill(IDLE, environment * size, (environment + 1) * size);
    this.last.fill(IDLE, environment * seatCount, (environment + 1) * seatCount);
  }

  /** The action that takes effect now. @param action given now */
  exchange(environment: number, seat: number, action: number): number {
    const player = environment * this.state.seatCount + seat;
    const due = this.due(environment, seat, action);
    const sticky = this.sticky[environment]!;
    const repeats = sticky > 0 && this.chance.ofSticking(environment, seat) < sticky;
    if (!repeats) this.last[player] = due;
    return this.last[player]!;
  }

  /** Actions given but not yet in effect, the oldest first: at most `action_delay` joint actions. */
  pending(environment: number): number[][] {
    const now = this.state.step[environment]!;
    const first = Math.max(0, now - this.delay[environment]!);
    return Array.from({ length: now - first }, (_, index) => {
      const row = this.rowAt(environment, first + index);
      return Array.from(this.given.subarray(row, row + this.state.seatCount));
    });
  }

  /** What each seat did the step before. */
  lastActions(environment: number): number[] {
    const { seatCount } = this.state;
    return Array.from(this.last.subarray(environment * seatCount, (environment + 1) * seatCount));
  }

  /** Takes over what `pending` and `lastActions` told of another environment at the same step. */
  restore(environment: number, pending: readonly (readonly number[])[], last: readonly number[] | undefined): void {
    const { seatCount, step } = this.state;
    this.begin(environment);
    let moment = step[environment]! - pending.length;
    for (const joint of pending) {
      this.given.set(joint, this.rowAt(environment, moment));
      moment += 1;
    }
    if (last !== undefined) this.last.set(last, environment * seatCount);
  }

  private due(environment: number, seat: number, action: number): number {
    const delay = this.delay[environment]!;
    if (delay === 0) return action;
    const now = this.state.step[environment]!;
    this.given[this.rowAt(environment, now) + seat] = action;
    return this.given[this.rowAt(environment, now - delay) + seat]!;
  }

  private rowAt(environment: number, moment: number): number {
    const row = (moment + this.rowCount) % this.rowCount;
    return (environment * this.rowCount + row) * this.state.seatCount;
  }
}

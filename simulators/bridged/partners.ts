import type { ActionArray, ActionSpace } from '../contract.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import { choiceAt } from '../scripted-partner.ts';
import { PARTNER_CHOICES } from './parameters.ts';

// Letters: B environments, N seats, A actions of a seat, W numbers of an action.

interface SeatColumns {
  readonly name: Float64Array;
  readonly action: Float64Array;
  readonly epsilon: Float64Array;
}

/** Who acts, and when. */
export interface ActingSeat {
  readonly environment: number;
  readonly seat: number;
  readonly step: number;
  readonly keyHigh: number;
  readonly keyLow: number;
}

/** The scripted partners of a bridged world: nothing, chance, or always the same. They know of no environment. */
export class Partners {
  private readonly spaces: readonly ActionSpace[];
  private readonly seats: readonly SeatColumns[];
  private readonly stream = new RandomStream({ high: 0, low: 0 });

  /** @param spaces by seat */
  constructor(spaces: readonly ActionSpace[], columns: ParameterColumns) {
    this.spaces = spaces;
    this.seats = spaces.map((_, seat) => ({
      name: columns.column(`partners.${seat}.name`),
      action: columns.column(`partners.${seat}.action`),
      epsilon: columns.column(`partners.${seat}.epsilon`),
    }));
  }

  isScripted(environment: number, seat: number): boolean {
    return this.seats[seat]!.name[environment] !== 0;
  }

  /**
   * Writes what a scripted seat does, from `at` on.
   * @param mask shape [A], or null where all is legal
   */
  act(acting: ActingSeat, mask: Uint8Array | null, actions: ActionArray, at: number): void {
    const { environment, seat, step } = acting;
    const columns = this.seats[seat]!;
    const name = choiceAt(PARTNER_CHOICES, columns.name[environment]!);
    this.stream.rekeyFolded(acting.keyHigh, acting.keyLow, PURPOSE.partner);
    this.stream.seek(step * this.seats.length + seat);
    const isRandom = this.stream.nextUniform() < columns.epsilon[environment]! || name === 'random';
    if (isRandom) this.actAtRandom(seat, mask, actions, at);
    else this.actFixed(seat, name === 'noop' ? null : columns.action[environment]!, actions, at);
  }

  /** Any legal action, all alike. */
  private actAtRandom(seat: number, mask: Uint8Array | null, actions: ActionArray, at: number): void {
    const space = this.spaces[seat]!;
    if (space.kind === 'box') {
      space.low.forEach((low, index) => {
        actions[at + index] = low + (space.high[index]! - low) * this.stream.nextUniform();
      });
      return;
    }
    const legalCount = mask === null ? space.count : mask.reduce((count, bit) => count + bit, 0);
    let left = this.stream.nextInteger(legalCount);
    let action = 0;
    for (; action < space.count - 1; action += 1) {
      if (mask !== null && mask[action] === 0) continue;
      if (left === 0) break;
      left -= 1;
    }
    actions[at] = action;
  }

  /** @param value of `constant`; null for nothing: action 0, or what is nearest to 0 in a box */
  private actFixed(seat: number, value: number | null, actions: ActionArray, at: number): void {
    const space = this.spaces[seat]!;
    if (space.kind === 'discrete') {
      actions[at] = value ?? 0;
      return;
    }
    space.low.forEach((low, index) => {
      const high = space.high[index]!;
      actions[at + index] = value === null ? Math.min(high, Math.max(low, 0)) : low + (high - low) * value;
    });
  }
}

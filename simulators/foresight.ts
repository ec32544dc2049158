import type { ActionArray } from './contract.ts';

// Letters: B environments, N seats, W numbers of an action.

type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array;

/** What is played ahead. */
export interface Foreseen {
  readonly environmentCount: number;
  readonly rewards: Float64Array;
  readonly ended: Uint8Array;
  readonly truncated: Uint8Array;
  step(actions: ActionArray): void;
}

export interface ForesightOptions {
  /** Everything that a step can change and that a later step, or anybody who looks, reads. */
  readonly changed: readonly Numbers[];
  /** Steps after which an action that takes effect now first shows in rewards. */
  readonly lag: number;
  /** Shape [B]: steps after which an action that is given now takes effect. */
  readonly delay: Float64Array;
}

/**
 * Looks ahead to the rewards in which the actions of a step first show, and takes back what was played for it. Chance is
 * a function of the step and not of what was drawn before, so it is that of the real steps.
 */
export class Foresight {
  private readonly batch: Foreseen;
  private readonly options: ForesightOptions;
  private readonly copies: readonly Numbers[];

  constructor(batch: Foreseen, options: ForesightOptions) {
    this.batch = batch;
    this.options = options;
    this.copies = options.changed.map((array) => array.slice());
  }

  /** As `Batch.counterfactualRewards`. */
  tell(seat: number | null, actions: ActionArray, rewards: Float64Array): void {
    const { changed } = this.options;
    changed.forEach((array, index) => this.copies[index]!.set(array));
    this.play(this.given(seat, actions), rewards);
    changed.forEach((array, index) => array.set(this.copies[index]!));
  }

  /** The actions, with those of a seat replaced by the default. */
  private given(seat: number | null, actions: ActionArray): ActionArray {
    const given = actions.slice();
    if (seat === null) return given;
    const { environmentCount, rewards } = this.batch;
    const size = actions.length / rewards.length;
    const perEnvironment = actions.length / environmentCount;
    for (let at = seat * size; at < actions.length; at += perEnvironment) given.fill(0, at, at + size);
    return given;
  }

  private play(given: ActionArray, rewards: Float64Array): void {
    const { batch } = this;
    const { lag, delay } = this.options;
    const seatCount = batch.rewards.length / batch.environmentCount;
    const last = lag + delay.reduce((most, steps) => Math.max(most, steps), 0);
    const isOver = new Uint8Array(batch.environmentCount);
    rewards.fill(0);
    for (let step = 0; step <= last; step += 1) {
      batch.step(given);
      for (let environment = 0; environment < isOver.length; environment += 1) {
        const first = environment * seatCount;
        const shows = step === lag + delay[environment]! && isOver[environment] === 0;
        if (shows) rewards.set(batch.rewards.subarray(first, first + seatCount), first);
        if (batch.ended[environment] === 1 || batch.truncated[environment] === 1) isOver[environment] = 1;
      }
      // What is given from here on shows later.
      given.fill(0);
    }
  }
}

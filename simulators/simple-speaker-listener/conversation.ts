import type { Happenings } from '../mpe/batch.ts';
import type { Start } from '../mpe/simulator-data.ts';
import type { State } from '../mpe/state.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import { CODE_BOOKS, SYMBOL_COUNT } from './code-books.ts';
import { GOAL_PATH, LANDMARK_COUNT, SPEAKER } from './parameters.ts';

/** A start of simple_speaker_listener also tells what the talk is about, and what was heard of it. */
export interface TalkStart extends Start {
  /** Missing where it is the one that was drawn. */
  readonly goal?: number | undefined;
  readonly heard: readonly number[];
}

/** Segment of the stream of starts from which the goal is drawn; places and velocities are in the first one, 0. */
const GOAL_SEGMENT = 1;

interface Channel {
  readonly loudness: Float64Array;
  readonly drift: Float64Array;
  readonly permutation: Float64Array;
  readonly error: Float64Array;
  readonly loss: Float64Array;
  readonly noise: Float64Array;
}

/**
 * What the speaker is to tell, and what the listener hears of it. A word is heard in the step after it was said, as a
 * one-hot of three numbers; before the first step they are 0. On its way
 * 1. each symbol turns into the next as often as `channel_drift` steps are over; 2. the symbols are exchanged as
 *    `channel_permutation` says; 3. with probability `channel_error` it becomes one of the other two; 4. it is heard with
 *    `loudness`, and with probability `channel_loss` not at all; 5. normal noise of `channel_noise` is added.
 *
 * Chance is a function of the episode's key and the step.
 *
 * @source mpe2/_mpe_utils/core.py: World.update_agent_state; mpe2/simple_speaker_listener: Scenario.reset_world
 */
export class Conversation implements Happenings {
  /** Shape [B]: index of the landmark that is the goal. */
  readonly goal: Int32Array;
  /** Shape [B 3]: what the listener hears now. */
  readonly heard: Float64Array;
  readonly changed: readonly Float64Array[];
  private readonly state: State;
  private readonly channel: Channel;
  private readonly givenGoal: Float64Array;
  private readonly goalWeights: readonly Float64Array[];
  private readonly stream = new RandomStream({ high: 0, low: 0 });

  constructor(state: State, columns: ParameterColumns) {
    this.state = state;
    this.goal = new Int32Array(state.environmentCount);
    this.heard = new Float64Array(state.environmentCount * SYMBOL_COUNT);
    this.changed = [this.heard];
    this.channel = {
      loudness: columns.column('rules.loudness'),
      drift: columns.column('perturbations.channel_drift'),
      permutation: columns.column('perturbations.channel_permutation'),
      error: columns.column('perturbations.channel_error'),
      loss: columns.column('perturbations.channel_loss'),
      noise: columns.column('perturbations.channel_noise'),
    };
    this.givenGoal = columns.column(GOAL_PATH);
    this.goalWeights = Array.from({ length: LANDMARK_COUNT }, (_, goal) =>
      columns.column(`scenarios.goal_weights.${goal}`),
    );
  }

  begin(environment: number, start?: Start): void {
    const told = start as TalkStart | undefined;
    if (told === undefined) this.goal[environment] = this.drawGoal(environment);
    else if (told.goal !== undefined) this.goal[environment] = told.goal;
    for (let symbol = 0; symbol < SYMBOL_COUNT; symbol += 1) {
      this.heard[environment * SYMBOL_COUNT + symbol] = told?.heard[symbol] ?? 0;
    }
    // Whatever a start says, and half widths draw: a speaker stands still.
    const speaker = environment * this.state.seatCount + SPEAKER;
    this.state.velocityX[speaker] = 0;
    this.state.velocityY[speaker] = 0;
  }

  advance(): void {
    const { error, loss, noise } = this.channel;
    for (let environment = 0; environment < this.state.environmentCount; environment += 1) {
      const symbol = this.symbolSent(environment);
      const hasChance = error[environment]! > 0 || loss[environment]! > 0 || noise[environment]! > 0;
      if (hasChance) this.carryWithChance(environment, symbol);
      else this.write(environment, symbol);
    }
  }

  told(environment: number): Pick<TalkStart, 'goal' | 'heard'> {
    const at = environment * SYMBOL_COUNT;
    return { goal: this.goal[environment]!, heard: [...this.heard.subarray(at, at + SYMBOL_COUNT)] };
  }

  /** The goal in proportion to the weights; any with the same probability where all are 0. */
  private drawGoal(environment: number): number {
    if (this.givenGoal[environment]! >= 0) return this.givenGoal[environment]!;
    const { keyHigh, keyLow } = this.state;
    this.stream.rekeyFolded(keyHigh[environment]!, keyLow[environment]!, PURPOSE.startState);
    this.stream.seek(GOAL_SEGMENT);
    const uniform = this.stream.nextUniform();
    let sum = 0;
    for (let goal = 0; goal < LANDMARK_COUNT; goal += 1) sum += this.goalWeights[goal]![environment]!;
    if (sum === 0) return Math.floor(uniform * LANDMARK_COUNT);
    let threshold = uniform * sum;
    for (let goal = 0; goal < LANDMARK_COUNT - 1; goal += 1) {
      threshold -= this.goalWeights[goal]![environment]!;
      if (threshold < 0) return goal;
    }
    return LANDMARK_COUNT - 1;
  }

  /** What became of the word of this step before chance has a say. */
  private symbolSent(environment: number): number {
    const { seatCount, step, action } = this.state;
    const word = action[environment * seatCount + SPEAKER]!;
    const drift = this.channel.drift[environment]!;
    const turned = drift === 0 ? word : (word + Math.floor(step[environment]! / drift)) % SYMBOL_COUNT;
    return CODE_BOOKS[this.channel.permutation[environment]!]![turned]!;
  }

  private carryWithChance(environment: number, symbol: number): void {
    const { keyHigh, keyLow, step } = this.state;
    const { stream } = this;
    stream.rekeyFolded(keyHigh[environment]!, keyLow[environment]!, PURPOSE.dynamics);
    stream.seek(step[environment]!);
    // All is drawn whatever is needed of it, so that simulators share the draws that they have in common.
    const isWrong = stream.nextUniform() < this.channel.error[environment]!;
    const further = stream.nextUniform() < 0.5 ? 1 : 2;
    const isLost = stream.nextUniform() < this.channel.loss[environment]!;
    this.write(environment, isWrong ? (symbol + further) % SYMBOL_COUNT : symbol, isLost ? 0 : 1);
    const noise = this.channel.noise[environment]!;
    const at = environment * SYMBOL_COUNT;
    for (let index = at; index < at + SYMBOL_COUNT; index += 1) this.heard[index]! += noise * stream.nextNormal();
  }

  private write(environment: number, symbol: number, share = 1): void {
    const at = environment * SYMBOL_COUNT;
    this.heard.fill(0, at, at + SYMBOL_COUNT);
    this.heard[at + symbol] = share * this.channel.loudness[environment]!;
  }
}

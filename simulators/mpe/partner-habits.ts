import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import type { State } from './state.ts';

/** What `act` says when no habit decides and the partner has to choose by its policy. */
export const UNDECIDED = -1;

interface HabitColumns {
  readonly epsilon: Float64Array;
  readonly lateness: Float64Array;
  readonly actionBias: readonly Float64Array[];
}

/**
 * What scripted partners do whatever their policy is. In every step each of them
 * 1. idles while fewer than `lateness` steps are over;
 * 2. with probability `epsilon` takes one of its actions at random, with probabilities in proportion to
 *    `action_bias` (a partner whose weights are all 0 idles instead); the policy `random` always does.
 *
 * Chance is a function of the episode's key, the step and the seat, whoever else is there.
 */
export class PartnerHabits {
  private readonly state: State;
  private readonly columns: readonly HabitColumns[];
  private readonly stream = new RandomStream({ high: 0, low: 0 });
  /** Shape [B N]: epsilon, with that of `random` being 1. */
  private readonly epsilon: Float64Array;

  constructor(state: State, columns: ParameterColumns) {
    this.state = state;
    this.columns = Array.from({ length: state.seatCount }, (_, seat) => ({
      epsilon: columns.column(`partners.${seat}.epsilon`),
      lateness: columns.column(`partners.${seat}.lateness`),
      actionBias: Array.from({ length: state.moveCounts[seat]! }, (__, action) =>
        columns.column(`partners.${seat}.action_bias.${action}`),
      ),
    }));
    this.epsilon = new Float64Array(state.environmentCount * state.seatCount);
  }

  /** Takes a seat for an episode; `external` leaves it to the outside. */
  begin(environment: number, seat: number, policy: string): void {
    const agent = environment * this.state.seatCount + seat;
    this.state.external[agent] = policy === 'external' ? 1 : 0;
    this.epsilon[agent] = policy === 'random' ? 1 : this.columns[seat]!.epsilon[environment]!;
  }

  /** What the partner does by habit, an action of its seat, or UNDECIDED. */
  act(environment: number, seat: number): number {
    const { step, seatCount } = this.state;
    if (step[environment]! < this.columns[seat]!.lateness[environment]!) return 0;
    const epsilon = this.epsilon[environment * seatCount + seat]!;
    if (epsilon === 0) return UNDECIDED;
    this.seekStream(environment, step[environment]! * seatCount + seat);
    return this.stream.nextUniform() < epsilon ? this.randomAction(environment, seat) : UNDECIDED;
  }

  /** A choice for the whole episode, 0 … count − 1. */
  drawForEpisode(environment: number, seat: number, count: number): number {
    // Segments of steps count from 0 up, those of whole episodes from the top down.
    this.seekStream(environment, 0xffffffff - seat);
    return this.stream.nextInteger(count);
  }

  private seekStream(environment: number, segment: number): void {
    this.stream.rekeyFolded(this.state.keyHigh[environment]!, this.state.keyLow[environment]!, PURPOSE.partner);
    this.stream.seek(segment);
  }

  private randomAction(environment: number, seat: number): number {
    const bias = this.columns[seat]!.actionBias;
    let sum = 0;
    for (let action = 0; action < bias.length; action += 1) sum += bias[action]![environment]!;
    let threshold = (this.stream.nextUint32() / 4294967296) * sum;
    for (let action = 0; action < bias.length; action += 1) {
      threshold -= bias[action]![environment]!;
      if (threshold < 0) return action;
    }
    return 0;
  }
}

import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import type { State } from './state.ts';

/**
 * With probability `perturbations.sticky_actions` a seat driven from outside does what it did the step before, in place
 * of the action that is due now.
 *
 * @source Machado et al.: Revisiting the Arcade Learning Environment (JAIR 2018), section 5.2
 */
export class StickyActions {
  private readonly state: State;
  private readonly probability: Float64Array;
  private readonly stream = new RandomStream({ high: 0, low: 0 });

  constructor(state: State, columns: ParameterColumns) {
    this.state = state;
    this.probability = columns.column('perturbations.sticky_actions');
  }

  isOff(environment: number): boolean {
    return this.probability[environment] === 0;
  }

  /** Whether a seat does again what it did. */
  repeats(environment: number, seat: number): boolean {
    const probability = this.probability[environment]!;
    if (probability === 0) return false;
    const { keyHigh, keyLow, step, seatCount } = this.state;
    this.stream.rekeyFolded(keyHigh[environment]!, keyLow[environment]!, PURPOSE.stickyAction);
    this.stream.seek(step[environment]! * seatCount + seat);
    return this.stream.nextUniform() < probability;
  }
}

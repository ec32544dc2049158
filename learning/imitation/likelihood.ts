import type { ActionArray, ActionSpace } from '../../simulators/contract.ts';
import { bestAction, Categorical } from '../rollout/action-choice.ts';

// Letters: n samples, R rows, A actions, D numbers of a box, W numbers of an action.

/** How well a distribution over actions tells those that were taken. */
export interface Agreement {
  /** Mean log probability (of a box: log density) of the action that was taken, in nats. */
  readonly logLikelihood: number;
  /** Share of samples whose most probable action was taken; null for a box. */
  readonly accuracy: number | null;
  /** Root mean square of mean − action over the numbers of a box scaled to [−1, 1]; null for discrete actions. */
  readonly rmsError: number | null;
}

/** Adds up an `Agreement` sample by sample. */
export class AgreementSum {
  private readonly space: ActionSpace;
  private readonly categorical: Categorical;
  private count = 0;
  private likelihood = 0;
  private hits = 0;
  private squares = 0;

  constructor(space: ActionSpace) {
    this.space = space;
    this.categorical = new Categorical(space.kind === 'discrete' ? space.count : 0);
  }

  /**
   * @param outputs shape [R O], as `actionHead` reads them @param row of them
   * @param actions shape [n W], scaled to [−1, 1] where they are of a box @param sample of them
   */
  add(outputs: Float32Array, row: number, actions: ActionArray, sample: number): void {
    this.count += 1;
    if (this.space.kind === 'discrete') {
      const { count } = this.space;
      const taken = actions[sample]!;
      this.categorical.read(outputs, row);
      this.likelihood += this.categorical.logProbability(taken);
      if (bestAction(outputs, row, count) === taken) this.hits += 1;
      return;
    }
    const size = this.space.low.length;
    for (let index = 0; index < size; index += 1) {
      const mean = outputs[2 * size * row + index]!;
      const logDeviation = outputs[2 * size * row + size + index]!;
      const error = actions[sample * size + index]! - mean;
      this.likelihood += normalLogDensity(error, logDeviation);
      this.squares += error ** 2 / size;
    }
  }

  mean(): Agreement {
    const isDiscrete = this.space.kind === 'discrete';
    return {
      logLikelihood: this.likelihood / this.count,
      accuracy: isDiscrete ? this.hits / this.count : null,
      rmsError: isDiscrete ? null : Math.sqrt(this.squares / this.count),
    };
  }
}

/** log N(e; 0, σ²) = −e² / 2σ² − log σ − ½ log 2π. @param logDeviation log σ */
function normalLogDensity(error: number, logDeviation: number): number {
  return -0.5 * (error * Math.exp(-logDeviation)) ** 2 - logDeviation - 0.5 * Math.log(2 * Math.PI);
}

/** Shape [n D] of numbers of a box, scaled to [−1, 1]; discrete actions as they are. */
export function scaledActions(space: ActionSpace, actions: ActionArray): ActionArray {
  if (space.kind === 'discrete') return actions;
  const { low, high } = space;
  return Float32Array.from(actions, (value, at) => {
    const index = at % low.length;
    return (2 * (value - low[index]!)) / (high[index]! - low[index]!) - 1;
  });
}

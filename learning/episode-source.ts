import type { Batch, World } from '../simulators/contract.ts';
import { drawParameter } from '../simulators/draw.ts';
import { foldIn, type Key, PURPOSE, RandomStream } from '../simulators/random.ts';
import type { RandomizationRanges } from './strategies/contract.ts';

/** A compiled simulator with the probability that an episode is played in it. */
export interface WeightedSimulator {
  /** Shape [P]. */
  readonly parameters: Float64Array;
  readonly weight: number;
}

interface DrawnParameter {
  readonly index: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Starts episodes: chooses the simulator of an episode, draws the randomized parameters into it, and resets. Everything
 * is a function of the episode's key, so an episode does not depend on what was played before or beside it.
 */
export class EpisodeSource {
  private readonly world: World;
  private readonly simulators: readonly WeightedSimulator[];
  private readonly draws: readonly DrawnParameter[];
  private readonly scratch: Float64Array;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  constructor(world: World, simulators: readonly WeightedSimulator[], randomization: RandomizationRanges) {
    this.world = world;
    this.simulators = simulators;
    // The order of the draws must not depend on the order of keys in a document.
    this.draws = Object.keys(randomization)
      .sort()
      .map((path) => ({
        index: world.parameters.findIndex((parameter) => parameter.path === path),
        low: randomization[path]![0],
        high: randomization[path]![1],
      }));
    this.scratch = new Float64Array(world.parameters.length);
  }

  /** The index of the simulator that an episode is played in. */
  choose(key: Key): number {
    if (this.simulators.length === 1) return 0;
    const choice = foldIn(key, PURPOSE.simulatorChoice);
    this.random.rekey(choice.high, choice.low);
    let threshold = this.random.nextUniform();
    for (let index = 0; index < this.simulators.length - 1; index += 1) {
      threshold -= this.simulators[index]!.weight;
      if (threshold < 0) return index;
    }
    return this.simulators.length - 1;
  }

  /** Starts an episode of a given simulator in one environment. */
  start(batch: Batch, environment: number, simulator: number, key: Key): void {
    const { parameters } = this.simulators[simulator]!;
    if (this.draws.length === 0) {
      batch.reset(environment, parameters, key);
      return;
    }
    this.scratch.set(parameters);
    const drawing = foldIn(key, PURPOSE.randomization);
    this.random.rekey(drawing.high, drawing.low);
    for (const { index, low, high } of this.draws) {
      this.scratch[index] = drawParameter(this.world.parameters[index]!, low, high, this.random.nextUniform());
    }
    batch.reset(environment, this.scratch, key);
  }
}

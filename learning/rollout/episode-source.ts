import type { Batch, SimulatorData, World } from '../../simulators/contract.ts';
import { drawParameter } from '../../simulators/draw.ts';
import { foldIn, type Key, PURPOSE, RandomStream } from '../../simulators/random.ts';
import type { RandomizationRanges } from '../strategies/contract.ts';
import { numberAt } from '../strategies/draw-simulator.ts';

/** A simulator with the probability that an episode is played in it. */
export interface WeightedSimulator {
  readonly simulator: SimulatorData;
  readonly weight: number;
  /** Drawn anew for every episode; empty for none. */
  readonly randomization: RandomizationRanges;
}

interface DrawnParameter {
  readonly index: number;
  readonly low: number;
  readonly high: number;
}

interface CompiledSimulator {
  /** Shape [P]. */
  readonly parameters: Float64Array;
  readonly weight: number;
  /** One entry for every range, null where this simulator has no such number: another partner sits there. */
  readonly draws: readonly (DrawnParameter | null)[];
}

/**
 * Starts episodes: chooses the simulator of an episode, draws the randomized parameters into it, and resets. Everything
 * is a function of the episode's key, so an episode does not depend on what was played before or beside it.
 */
export class EpisodeSource {
  private readonly world: World;
  private readonly simulators: readonly CompiledSimulator[];
  private readonly scratch: Float64Array;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  constructor(world: World, simulators: readonly WeightedSimulator[]) {
    this.world = world;
    this.simulators = simulators.map(({ simulator, weight, randomization }) => ({
      parameters: world.compile(simulator),
      weight,
      // The order of the draws must not depend on the order of keys in a document.
      draws: Object.keys(randomization)
        .sort()
        .map((path) => {
          if (numberAt(simulator, path) === undefined) return null;
          const [low, high] = randomization[path]!;
          return { index: world.parameters.findIndex((parameter) => parameter.path === path), low, high };
        }),
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
    const { parameters, draws } = this.simulators[simulator]!;
    if (draws.length === 0) {
      batch.reset(environment, parameters, key);
      return;
    }
    this.scratch.set(parameters);
    this.draw(simulator, key, (draw, value) => {
      if (draw !== null) this.scratch[draw.index] = value;
    });
    batch.reset(environment, this.scratch, key);
  }

  /** What is drawn for an episode, by path in ascending order; NaN where the simulator has no such number. */
  drawn(simulator: number, key: Key): number[] {
    const values: number[] = [];
    this.draw(simulator, key, (_, value) => values.push(value));
    return values;
  }

  private draw(simulator: number, key: Key, tell: (draw: DrawnParameter | null, value: number) => void): void {
    const { draws } = this.simulators[simulator]!;
    const drawing = foldIn(key, PURPOSE.randomization);
    this.random.rekey(drawing.high, drawing.low);
    for (const draw of draws) {
      // Drawn in any case: simulators with other partners share the draws of the ranges they have in common.
      const uniform = this.random.nextUniform();
      if (draw === null) tell(null, NaN);
      else tell(draw, drawParameter(this.world.parameters[draw.index]!, draw.low, draw.high, uniform));
    }
  }
}

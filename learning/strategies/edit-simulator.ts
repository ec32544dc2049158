import type { Parameter, SimulatorData } from '../../simulators/contract.ts';
import type { RandomStream } from '../../simulators/random.ts';
import type { RandomizationRanges } from './contract.ts';
import { numberAt, setNumberAt } from './draw-simulator.ts';

export interface EditOptions {
  readonly ranges: RandomizationRanges;
  readonly parameters: readonly Parameter[];
  /** Length of a step as a share of the width of a range, above 0. */
  readonly scale: number;
}

/** A number of a simulator that can be moved: from `value` by `step`, within `low` … `high`. */
export interface Movable {
  readonly path: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly step: number;
}

/**
 * A copy of a simulator with some of its ranged parameters moved by one step up or down: each with probability ½, and at
 * least one. A step is `scale` times the width of the range, and in whole numbers at least 1. What would leave the range
 * is clipped to it, and what stands at its end already goes the other way, so that what is moved always changes. Numbers
 * outside their range, as a spec may give them, are clipped into it in any case: a child lies in the ranges.
 * @returns null where the ranges leave nothing to move
 * @source ACCEL, Parker-Holder et al.: Evolving Curricula with Regret-Based Environment Design (arXiv 2203.01302), whose
 *   edits of a maze are additions and removals of walls; these are the same for numbers
 */
export function editSimulator(
  simulator: SimulatorData,
  { ranges, parameters, scale }: EditOptions,
  random: RandomStream,
): SimulatorData | null {
  const movables = movablesOf(simulator, { ranges, parameters, scale });
  const canMove = movables.map(({ low, high }) => low < high);
  if (!canMove.includes(true)) return null;
  const coins = movables.map(() => ({ moves: random.nextUniform() < 0.5, up: random.nextUniform() < 0.5 }));
  const places = canMove.flatMap((can, index) => (can ? [index] : []));
  const forced = places[random.nextInteger(places.length)]!;
  const isAnyMoved = places.some((index) => coins[index]!.moves);
  const copy = structuredClone(simulator);
  for (const [index, movable] of movables.entries()) {
    const isMoved = canMove[index]! && (isAnyMoved ? coins[index]!.moves : index === forced);
    setNumberAt(copy, movable.path, isMoved ? moved(movable, coins[index]!.up ? 1 : -1) : steppedValue(movable, 0));
  }
  return copy;
}

/** The ranged numbers that a simulator has, in the order of their paths. */
export function movablesOf(simulator: SimulatorData, { ranges, parameters, scale }: EditOptions): Movable[] {
  return Object.keys(ranges)
    .sort()
    .flatMap((path) => movableAt(simulator, { path, range: ranges[path]!, parameters, scale }));
}

function movableAt(
  simulator: SimulatorData,
  edit: Pick<EditOptions, 'parameters' | 'scale'> & { path: string; range: readonly [number, number] },
): Movable[] {
  const { path, range, parameters, scale } = edit;
  const value = numberAt(simulator, path);
  const parameter = parameters.find((entry) => entry.path === path);
  if (value === undefined || parameter === undefined) return [];
  if (parameter.kind === 'real')
    return [{ path, value, low: range[0], high: range[1], step: scale * (range[1] - range[0]) }];
  const [low, high] = [Math.ceil(range[0]), Math.floor(range[1])];
  return [{ path, value, low, high, step: Math.max(1, Math.round(scale * (high - low))) }];
}

function moved(movable: Movable, direction: 1 | -1): number {
  const value = steppedValue(movable, direction);
  return value === steppedValue(movable, 0) ? steppedValue(movable, -direction) : value;
}

/** The value after so many steps from where it lies in its range, clipped to it. */
export function steppedValue({ value, low, high, step }: Movable, steps: number): number {
  const clip = (number: number) => Math.min(high, Math.max(low, number));
  return clip(clip(value) + steps * step);
}

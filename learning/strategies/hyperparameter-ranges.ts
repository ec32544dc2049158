import type { Evidence, Strategy, StrategyOptions } from './contract.ts';

/** Name of a parameter of the algorithm → [low, high], both above 0 and included. */
export type HyperparameterRanges = Readonly<Record<string, readonly [low: number, high: number]>>;

interface RangesOptions extends StrategyOptions {
  readonly hyperparameters: HyperparameterRanges | null;
}

/**
 * Real numbers of algorithms that shape neither networks nor batches, so that weights can be copied between members that
 * differ in them, each with the largest value an algorithm takes.
 */
const EXPLORABLE: Readonly<Record<string, number>> = {
  learning_rate: 1,
  entropy_coefficient: 10,
  clip: 1,
  gamma: 1,
  lambda: 1,
  value_coefficient: 100,
  gradient_clip: Infinity,
};

const EXPLORED_BY_DEFAULT = ['learning_rate', 'entropy_coefficient'];

/** How far a default range reaches from the value in the spec, as a factor. */
const DEFAULT_REACH = 5;

/** Where the members may go: as written, or around what the spec says. Names ascending, so that draws have one order. */
export function hyperparameterRanges({ options, hyperparameters }: Evidence<RangesOptions>): HyperparameterRanges {
  const written = options.hyperparameters;
  if (written !== null)
    return Object.fromEntries(
      Object.keys(written)
        .toSorted()
        .map((name) => [name, written[name]!]),
    );
  return Object.fromEntries(
    EXPLORED_BY_DEFAULT.toSorted().flatMap((name) => {
      const value = hyperparameters[name] ?? 0;
      // A logarithmic range cannot start from 0.
      if (value <= 0) return [];
      return [[name, [value / DEFAULT_REACH, Math.min(value * DEFAULT_REACH, EXPLORABLE[name]!)] as const]];
    }),
  );
}

/** What is wrong with the ranges: names the algorithm lacks or that must not move, and limits that no value fits. */
export function wrongRanges(evidence: Evidence<RangesOptions>): ReturnType<Strategy['check']> {
  const possible = Object.keys(EXPLORABLE).filter((name) => Object.hasOwn(evidence.hyperparameters, name));
  const remedy = `Give ranges [low, high] of ${possible.length > 0 ? possible.join(', ') : 'an algorithm that has some'}.`;
  const ranges = Object.entries(hyperparameterRanges(evidence));
  const problems = ranges.flatMap(([name, range]) => problemOf(name, range, possible) ?? []);
  if (ranges.length === 0) problems.push('there is nothing in which the members could differ');
  return problems.map((problem) => ({ key: 'hyperparameters', problem, remedy }));
}

function problemOf(name: string, [low, high]: readonly [number, number], possible: readonly string[]): string | null {
  if (!possible.includes(name)) return `"${name}" is no parameter of this algorithm that members can differ in`;
  if (low > high) return `${name} has its low end ${low} above its high end ${high}`;
  return high > EXPLORABLE[name]! ? `${name} is at most ${EXPLORABLE[name]}, not ${high}` : null;
}

import type { Parameter } from '../../../simulators/contract.ts';
import type { RandomizationRanges } from '../../strategies/contract.ts';

// Letters: P parameters of a simulator, d features.

/** Numbers that a simulator's parameters are described with to a linear model. */
export interface ParameterFeatures {
  /** d. */
  readonly size: number;
  /** Writes the features of a compiled simulator, shape [P], to `out` from `offset` on. */
  write(parameters: Float64Array, out: Float64Array, offset: number): void;
}

export interface FeaturesOf {
  readonly parameters: readonly Parameter[];
  readonly randomization: RandomizationRanges;
  /** Compiled simulators, each of shape [P]: what is equal in all of them tells nothing and is left out. */
  readonly examples: readonly Float64Array[];
}

/** A parameter scaled to [−1, 1]; what lies outside is clipped, because a square extrapolates badly. */
interface ScaledColumn {
  readonly column: number;
  readonly low: number;
  readonly high: number;
}

/** 1 where a choice is this one, 0 elsewhere. */
interface ChoiceColumn {
  readonly column: number;
  readonly value: number;
}

/**
 * The features of simulators: 1st and 2nd powers and products of the ranged parameters, 1st powers of the other numbers
 * in which the examples differ, and a 0/1 for each choice that some of them make. Parameters that are not ranged differ
 * between few simulators only, so their products would have next to no data.
 */
export function parameterFeatures({ parameters, randomization, examples }: FeaturesOf): ParameterFeatures {
  const ranged: ScaledColumn[] = [];
  const others: ScaledColumn[] = [];
  const choices: ChoiceColumn[] = [];
  parameters.forEach(({ path, kind }, column) => {
    const { low, high } = extentOf(examples, column);
    if (!(low < high)) return;
    const range = randomization[path];
    if (kind === 'choice') choices.push(...chosen(examples, column).map((value) => ({ column, value })));
    else if (range !== undefined) ranged.push({ column, low: range[0], high: range[1] });
    else others.push({ column, low, high });
  });
  const size = ranged.length + (ranged.length * (ranged.length + 1)) / 2 + others.length + choices.length;
  const scaled = new Float64Array(ranged.length);
  return {
    size,
    write(vector, out, offset) {
      let next = offset;
      ranged.forEach((entry, index) => (scaled[index] = scaledValue(vector, entry)));
      for (let i = 0; i < scaled.length; i += 1) {
        out[next++] = scaled[i]!;
        for (let j = 0; j <= i; j += 1) out[next++] = scaled[i]! * scaled[j]!;
      }
      for (const entry of others) out[next++] = scaledValue(vector, entry);
      for (const { column, value } of choices) out[next++] = vector[column] === value ? 1 : 0;
    },
  };
}

/** Asked of every parameter over thousands of examples, most of which are all equal. */
function extentOf(examples: readonly Float64Array[], column: number): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const example of examples) {
    const value = example[column]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}

/** Ascending. */
function chosen(examples: readonly Float64Array[], column: number): number[] {
  return [...new Set(examples.map((example) => example[column]!))].sort((a, b) => a - b);
}

function scaledValue(vector: Float64Array, { column, low, high }: ScaledColumn): number {
  if (low === high) return 0;
  return Math.max(-1, Math.min(1, (2 * (vector[column]! - low)) / (high - low) - 1));
}

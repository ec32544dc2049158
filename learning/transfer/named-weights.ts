import type { Expression } from '../graph/expression.ts';
import { constant } from '../graph/operators.ts';
import { parametersFromFlat, type ParameterLayout } from '../graph/parameters.ts';
import { sizeOf } from '../graph/shapes.ts';

// Letters: P numbers.

/** Arrays by name in one flat vector. */
export interface NamedWeights {
  readonly layout: ParameterLayout;
  /** Shape [P]. */
  readonly values: Float32Array;
}

/** Some of the arrays of a flat vector, packed into one of their own. @param names in the order in which they shall lie */
export function chosenWeights(all: NamedWeights, names: readonly string[]): NamedWeights {
  const parts = names.map((name) => ({
    layout: { [name]: { offset: 0, shape: all.layout[name]!.shape } },
    values: arrayOf(all, name),
  }));
  return parts.reduce<NamedWeights>(joinedWeights, { layout: {}, values: new Float32Array(0) });
}

/** The arrays of both, those of the second behind. */
export function joinedWeights(first: NamedWeights, second: NamedWeights): NamedWeights {
  const values = new Float32Array(first.values.length + second.values.length);
  values.set(first.values);
  values.set(second.values, first.values.length);
  const moved = Object.entries(second.layout).map(
    ([name, { offset, shape }]) => [name, { offset: first.values.length + offset, shape }] as const,
  );
  return { layout: { ...first.layout, ...Object.fromEntries(moved) }, values };
}

/** The part of the flat vector that is one array. */
export function arrayOf({ layout, values }: NamedWeights, name: string): Float32Array {
  const { offset, shape } = layout[name]!;
  return values.subarray(offset, offset + sizeOf(shape));
}

/** The arrays as expressions of one constant vector. */
export function constantsFrom({ layout, values }: NamedWeights): Readonly<Record<string, Expression>> {
  return parametersFromFlat(constant(values), layout);
}

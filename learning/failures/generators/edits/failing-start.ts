import type { Parameter } from '../../../../simulators/contract.ts';
import { START } from '../../mining/start-numbers.ts';
import { clipParameter } from './clip-parameter.ts';

// Letters: S numbers of a state.

/** A number that is to stand below the keys; null where the state has nothing there. */
interface Leaf {
  readonly keys: readonly string[];
  readonly value: number | null;
}

/** Numbers by key or in order; null for what is not there. */
type Nested = number | null | readonly Nested[] | { readonly [key: string]: Nested };

/**
 * A state as `scenarios.start` is written, its numbers clipped to their ranges. Items that are not there any more, such
 * as eaten food, are left out of their list.
 * @param paths shape [S]: parameters of a start
 * @param numbers shape [S]: what the state has there; an item that is not there has no number, or a place below 0 where
 *   places are whole numbers
 * @returns null where a family has no starts
 */
export function failingStart(
  paths: readonly string[],
  numbers: readonly (number | null)[],
  parameters: readonly Parameter[],
): Readonly<Record<string, unknown>> | null {
  const byPath = new Map(parameters.map((parameter) => [parameter.path, parameter]));
  const leaves = paths.flatMap((path, index): Leaf[] => {
    const parameter = byPath.get(path);
    if (parameter === undefined || !path.startsWith(START)) return [];
    return [{ keys: path.slice(START.length).split('.'), value: presentNumber(parameter, numbers[index]) }];
  });
  return leaves.length === 0 ? null : (nested(leaves) as Readonly<Record<string, unknown>>);
}

function presentNumber(parameter: Parameter, value: number | null | undefined): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  // No place that is counted in whole numbers lies below 0: families say so of what is drawn or absent.
  return parameter.kind !== 'real' && value < 0 ? null : clipParameter(parameter, value);
}

/** An item that lacks one of its numbers is missing itself; a list holds what is not missing. */
function nested(leaves: readonly Leaf[]): Nested {
  if (leaves[0]!.keys.length === 0) return leaves[0]!.value;
  const below = new Map<string, Leaf[]>();
  for (const { keys, value } of leaves) {
    const [key, ...rest] = keys;
    below.set(key!, [...(below.get(key!) ?? []), { keys: rest, value }]);
  }
  const children = [...below].map(([key, each]) => [key, nested(each)] as const);
  const isList = children.every(([key]) => /^\d+$/.test(key));
  if (!isList) return Object.fromEntries(children);
  const present = children.flatMap(([, child]) => (child === null ? [] : [child]));
  const isItem = leaves.every(({ keys }) => keys.length === 1);
  return isItem && present.length < children.length ? null : present;
}

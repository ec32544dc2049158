import { ThawError } from '../../schemas/errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { isSameShape } from '../graph/shapes.ts';
import { arrayOf, type NamedWeights } from './named-weights.ts';

// Letters: P parameters.

/** What the network of a group starts from in place of random weights. */
export interface InitialWeights {
  /** What errors call the policy that they come from. */
  readonly origin: string;
  readonly weights: NamedWeights;
  /** Layers of it that stay as they are: names of arrays, or beginnings of names that end before a point. */
  readonly frozen: readonly string[];
}

/**
 * Overwrites freshly drawn parameters with those of a policy, wherever both have an array of the same name and shape; the
 * others stay as they were drawn.
 *
 * @param flat shape [P], written @param initial null for a network that starts from nothing
 * @returns `flat`
 * @throws REQUEST_CONFLICT when nothing fits, or when a layer that is to be frozen does not; REQUEST_BAD_ARGUMENT when
 *   one is unknown
 */
export function withInitialWeights(
  flat: Float32Array,
  layout: ParameterLayout,
  initial: InitialWeights | null | undefined,
): Float32Array {
  if (!initial) return flat;
  const { weights, frozen } = initial;
  const fitting = Object.keys(layout).filter((name) => fits(weights.layout, layout, name));
  if (fitting.length === 0) throw nothingFits(layout, initial);
  for (const layer of frozen) assertFrozen(layer, layout, fitting, initial);
  for (const name of fitting) flat.set(arrayOf(weights, name), layout[name]!.offset);
  return flat;
}

function fits(theirs: ParameterLayout, ours: ParameterLayout, name: string): boolean {
  return Object.hasOwn(theirs, name) && isSameShape(theirs[name]!.shape, ours[name]!.shape);
}

/** A layer that stays as chance drew it is nobody's wish. */
function assertFrozen(
  layer: string,
  layout: ParameterLayout,
  fitting: readonly string[],
  { origin, weights }: InitialWeights,
): void {
  const named = Object.keys(layout).filter((name) => name === layer || name.startsWith(`${layer}.`));
  if (named.length === 0) {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `transfer.freeze: no layer of the network is called ${layer}`, {
      remedy: `The network has ${layersOf(layout)}.`,
    });
  }
  const drawn = named.filter((name) => !fitting.includes(name));
  if (drawn.length === 0) return;
  throw new ThawError(
    'REQUEST_CONFLICT',
    `transfer.freeze: ${layer} cannot be frozen, because ${origin} does not give it: it has ${shapesText(weights.layout)}, the network ${shapesText(layout, drawn)}`,
    { remedy: 'Freeze layers that are taken over, or make the network as the policy was made.' },
  );
}

function nothingFits(layout: ParameterLayout, { origin, weights }: InitialWeights): ThawError {
  return new ThawError(
    'REQUEST_CONFLICT',
    `nothing of ${origin} fits: it has ${shapesText(weights.layout)}, the network ${shapesText(layout)}`,
    { remedy: 'Use the algorithm, hidden sizes and world that the policy was trained with, or another policy.' },
  );
}

/** E.g. `actor.0.weight [18 64], actor.0.bias [64]`. */
function shapesText(layout: ParameterLayout, names: readonly string[] = Object.keys(layout)): string {
  return names.map((name) => `${name} [${layout[name]!.shape.join(' ')}]`).join(', ');
}

function layersOf(layout: ParameterLayout): string {
  return [...new Set(Object.keys(layout).map((name) => name.slice(0, name.lastIndexOf('.'))))].join(', ');
}

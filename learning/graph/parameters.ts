import { ThawError } from '../../schemas/errors.ts';
import type { Expression, Shape } from './expression.ts';
import { reshape, slice } from './operators.ts';
import { sizeOf } from './shapes.ts';

/** Where one array lies inside the flat vector. */
interface ParameterSlot {
  readonly offset: number;
  readonly shape: Shape;
}

/**
 * All parameters live in one vector [P], in the order of the layout, and so do gradients and optimizer state: one array
 * to pass to an executor and to store, and a fraction of the nodes in a graph.
 */
export type ParameterLayout = Readonly<Record<string, ParameterSlot>>;

/** @param shapes name → shape, in the order in which they shall lie */
export function layoutFromShapes(shapes: Readonly<Record<string, Shape>>): ParameterLayout {
  let offset = 0;
  const slots = Object.entries(shapes).map(([name, shape]) => {
    const slot = { offset, shape };
    offset += sizeOf(shape);
    return [name, slot] as const;
  });
  return Object.fromEntries(slots);
}

/** Number of parameters P. */
export function layoutSize(layout: ParameterLayout): number {
  return Object.values(layout).reduce((size, { shape }) => size + sizeOf(shape), 0);
}

/** The arrays of a layout as expressions of the flat vector [P]. */
export function parametersFromFlat(flat: Expression, layout: ParameterLayout): Readonly<Record<string, Expression>> {
  if (flat.shape.length !== 1 || flat.shape[0] !== layoutSize(layout)) {
    throw new ThawError(
      'DEFECT_SHAPE_MISMATCH',
      `parameters: [${flat.shape.join(', ')}] does not hold a layout of ${layoutSize(layout)}`,
    );
  }
  return Object.fromEntries(
    Object.entries(layout).map(([name, { offset, shape }]) => [
      name,
      reshape(slice(flat, 0, offset, offset + sizeOf(shape)), shape),
    ]),
  );
}

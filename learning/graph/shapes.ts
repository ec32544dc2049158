import { ThawError } from '../../schemas/errors.ts';
import type { Shape } from './expression.ts';

/** Number of elements; 1 for a scalar. */
export function sizeOf(shape: Shape): number {
  return shape.reduce((size, length) => size * length, 1);
}

export function isSameShape(left: Shape, right: Shape): boolean {
  return left.length === right.length && left.every((length, axis) => length === right[axis]);
}

/** The error of an operator whose inputs do not fit, e.g. `add: [3, 4] and [5] do not broadcast`. */
export function shapeError(op: string, shapes: readonly Shape[], rule: string): ThawError {
  const list = shapes.map((shape) => `[${shape.join(', ')}]`).join(' and ');
  return new ThawError('DEFECT_SHAPE_MISMATCH', `${op}: ${list} ${rule}`, { details: { op, shapes } });
}

/** NumPy's rule: axes are matched from the last; a missing axis or one of size 1 is repeated. */
export function broadcastShapes(op: string, ...shapes: readonly Shape[]): Shape {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const lengths = shapes.map((shape) => shape[axis - rank + shape.length] ?? 1).filter((length) => length !== 1);
    if (lengths.some((length) => length !== lengths[0])) throw shapeError(op, shapes, 'do not broadcast');
    return lengths[0] ?? 1;
  });
}

/**
 * Turns axes that may count from the end (−1 is the last) into sorted ones from the start.
 * @throws DEFECT_SHAPE_MISMATCH when an axis is outside of the shape or named twice
 */
export function normalizedAxes(op: string, shape: Shape, axes: readonly number[]): readonly number[] {
  const positive = axes.map((axis) => (axis < 0 ? axis + shape.length : axis));
  if (new Set(positive).size !== axes.length || positive.some((axis) => !(axis >= 0 && axis < shape.length))) {
    throw shapeError(op, [shape], `has no axes ${axes.join(', ')}`);
  }
  return positive.sort((left, right) => left - right);
}

/** Shape after a reduction over normalized axes. */
export function reducedShape(shape: Shape, axes: readonly number[], keepDims: boolean): Shape {
  return keepDims
    ? shape.map((length, axis) => (axes.includes(axis) ? 1 : length))
    : shape.filter((_, axis) => !axes.includes(axis));
}

import { ThawError } from './errors.ts';

/** A shape written with letters, e.g. 'T N' or 'T+1 N'; one letter means one size throughout a call. */
export type ShapeText = string;

/**
 * Checks several arrays against one set of named dimensions.
 *
 * @param shapes  name → [actual shape, expected letters]; 'T+1' means one more than T
 * @returns       the size bound to each letter
 * @throws DEFECT_SHAPE_MISMATCH when a rank differs or a letter would have two sizes
 */
export function assertShapes(
  shapes: Readonly<Record<string, readonly [actual: readonly number[], expected: ShapeText]>>,
): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (const [name, [actual, expected]] of Object.entries(shapes)) {
    const terms = expected === '' ? [] : expected.split(' ');
    if (terms.length !== actual.length) {
      throw new ThawError('DEFECT_SHAPE_MISMATCH', `${name} has rank ${actual.length}, expected [${expected}]`);
    }
    terms.forEach((term, axis) => {
      const [letter = '', plus = '0'] = term.split('+');
      const size = actual[axis]! - Number(plus);
      sizes[letter] ??= size;
      if (sizes[letter] !== size) {
        throw new ThawError(
          'DEFECT_SHAPE_MISMATCH',
          `${name} is [${actual.join(', ')}], expected [${expected}] with ${letter} = ${sizes[letter]}`,
        );
      }
    });
  }
  return sizes;
}

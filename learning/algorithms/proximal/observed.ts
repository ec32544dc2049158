import type { Expression } from '../../graph/expression.ts';
import { input } from '../../graph/operators.ts';
import { normalizedObservations } from '../../normalization/observation-moments.ts';

// Letters: M rows, I features of a row.

/**
 * Rows as the networks take them: as they are, or normalised by moments that are given at each run as `<name>_mean` and
 * `<name>_scale`, [I] each.
 *
 * @param x shape [M I], as it was recorded
 */
export function observed(
  x: Expression,
  isNormalized: boolean,
  name: 'observation' | 'joint' = 'observation',
): Expression {
  if (!isNormalized) return x;
  const size = x.shape.slice(1);
  return normalizedObservations(x, input(`${name}_mean`, size), input(`${name}_scale`, size));
}

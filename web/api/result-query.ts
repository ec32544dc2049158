import { z } from 'zod';
import { METRICS } from '../../learning/results/result-columns.ts';

/** The part of a query that names a column which can be averaged over seeds. */
export const metricSchema = z
  .enum(METRICS as [string, ...string[]])
  .describe('A column that can be averaged over seeds.');

export const DEFAULT_METRIC = 'heldout_return';

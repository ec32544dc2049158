import type { Comparison } from '../../contract/results.ts';
import type { Decoded } from '../api/decoded.ts';

/** Statistics between variants as the page uses them. */
export type ShownComparison = Decoded<Comparison>;

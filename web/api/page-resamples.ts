import { metricValue } from '../../learning/results/result-columns.ts';
import type { ResultRow } from '../../learning/results/result-row.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { INTERVAL_VALUES_MIN } from '../../learning/statistics/bootstrap.ts';
import { resampleCount } from '../../learning/statistics/resamples.ts';
import { isFinalState } from '../../schemas/records.ts';
import { countText } from '../documents/quantity-text.ts';

/** Draws of all intervals of a comparison together, 0.7 to 1.2 s on a busy machine: so long everybody else waits. */
const DRAWS_MAX = 30_000_000;
/** While runs go on the statistics change every few seconds, and are not quoted. */
const PASSING_RESAMPLES = 2_000;
const RESAMPLES_MIN = 1_000;

/** How many resamples the intervals of a comparison are of, where that is fewer than `thaw compare` takes. */
export interface PageResamples {
  readonly resamples: number;
  /** Says so to the reader. */
  readonly warning: string;
}

/** @returns null where the page takes as many as `thaw compare`, and where no variant has enough runs for an interval */
export function pageResamples(rows: readonly ResultRow[], metric: string, experimentId: string): PageResamples | null {
  const measured = rows.filter((row) => metricValue(row, metric) !== null);
  const sizes = [...groupRows(measured, ({ variant }) => variant).values()].map(({ length }) => length);
  const counted = sizes.filter((size) => size >= INTERVAL_VALUES_MIN);
  if (counted.length === 0) return null;
  const usual = resampleCount(Math.max(...counted));
  const affordable = Math.max(RESAMPLES_MIN, Math.floor(DRAWS_MAX / itemCount(counted)));
  const isOver = rows.every(({ state }) => isFinalState(state));
  const resamples = Math.min(usual, affordable, isOver ? Infinity : PASSING_RESAMPLES);
  if (resamples === usual) return null;
  const why = isOver ? 'because there are many runs' : 'while runs go on';
  return {
    resamples,
    warning:
      `Intervals are of ${countText(resamples)} resamples here, ${why}; ` +
      `\`thaw compare ${experimentId}\` takes ${countText(usual)}: quote those.`,
  };
}

/** Draws of one resample: the runs of each variant, and with each but one of them both sides of a pair and their differences. */
function itemCount(sizes: readonly number[]): number {
  const runs = sizes.reduce((sum, size) => sum + size, 0);
  return runs + 3 * (runs - Math.min(...sizes));
}

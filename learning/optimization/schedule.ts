/** How a number moves over a run. */
export interface Schedule {
  readonly shape: 'constant' | 'linear' | 'cosine';
  /** Where it begins, and stays where it is constant. */
  readonly initial: number;
  /** Where it ends. */
  readonly final: number;
  /** Share of the run, 0 … 1, in which it rises in a straight line from 0 to `initial`; the shape takes the rest. */
  readonly warmup: number;
}

/**
 * The value of a schedule.
 *
 *     warm-up:  initial · (p + step) / warmup,  never 0, so that the first update does something
 *     linear:   initial + (final − initial) · q,            q = (p − warmup) / (1 − warmup)
 *     cosine:   final + (initial − final) · (1 + cos πq)/2
 *
 * @param progress p: share of the run that is done, 0 … 1; more counts as 1
 * @param step share of the run that one update is
 */
export function scheduledValue({ shape, initial, final, warmup }: Schedule, progress: number, step = 0): number {
  if (progress < warmup) return initial * Math.min(1, (progress + step) / warmup);
  const rest = warmup < 1 ? Math.min(1, Math.max(0, (progress - warmup) / (1 - warmup))) : 1;
  if (shape === 'linear') return initial + (final - initial) * rest;
  if (shape === 'cosine') return final + ((initial - final) * (1 + Math.cos(Math.PI * rest))) / 2;
  return initial;
}

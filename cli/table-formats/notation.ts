import type { ColumnHead } from '../../learning/results/column.ts';

/** How a format writes what people read: each format has its own signs, and all of them tell the same things apart. */
export interface Notation {
  /** A finite number of a column. @param decimals digits after the point that mean something */
  readonly number: (value: number, decimals: number, kind: ColumnHead['kind']) => string;
  /** Whether a column's own text stands for its numbers too; otherwise it only stands where there is no number. */
  readonly hasTextForNumbers: boolean;
  readonly nan: string;
  readonly infinity: (isNegative: boolean) => string;
  /** What was not measured. */
  readonly missing: string;
  readonly text: (text: string) => string;
  readonly spread: (mean: string, std: string) => string;
  readonly interval: (low: string, high: string) => string;
  readonly share: (part: string, whole: string) => string;
  readonly estimate: (mean: string, interval: string) => string;
}

/** A number with so many digits after the point; what rounds to nothing has no sign. */
export function fixedText(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

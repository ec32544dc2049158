/** A line of a chart: at its own x, in ascending order. */
export interface Line {
  readonly label: string;
  /** Colour variable of the style sheet, see `seriesColor`. */
  readonly color: string;
  readonly isDashed?: boolean;
  readonly points: readonly LinePoint[];
}

export interface LinePoint {
  readonly x: number;
  readonly y: number | null;
  /** The band around it. */
  readonly low?: number | null;
  readonly high?: number | null;
  /** How many runs it is of. */
  readonly n?: number;
}

/** How many colours there are; further lines begin anew and are told apart by their labels. */
const COLORS = 8;

/** The colour variable of the line at an index. All are told apart by those who see fewer colours, in light and dark. */
export const seriesColor = (index: number): string => `--series-${(index % COLORS) + 1}`;

/** A column of a chart: undefined where the line has no point at this x, null where its value cannot be drawn. */
export type Drawn = (number | null | undefined)[];

/** All x of the lines, ascending, and what each line has there. */
export interface Aligned {
  readonly x: number[];
  readonly lines: readonly { readonly y: Drawn; readonly low: Drawn; readonly high: Drawn }[];
}

/** Puts lines over one x axis. */
export function align(lines: readonly Line[]): Aligned {
  const x = [...new Set(lines.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  return {
    x,
    lines: lines.map(({ points }) => {
      const at = new Map(points.map((point) => [point.x, point]));
      const column = (value: (point: LinePoint) => number | null | undefined): Drawn =>
        x.map((each) => {
          const point = at.get(each);
          return point === undefined ? undefined : drawable(value(point));
        });
      return { y: column(({ y }) => y), low: column(({ low }) => low), high: column(({ high }) => high) };
    }),
  };
}

/** NaN and the infinities leave a gap; the table beside the chart names them. */
const drawable = (value: number | null | undefined): number | null =>
  value === null || value === undefined || !Number.isFinite(value) ? null : value;

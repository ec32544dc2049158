import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { AsTable } from '../parts/as-table.tsx';
import { onTheme } from '../theme.ts';
import { drawLines } from './draw-lines.ts';
import { Legend } from './legend.tsx';
import type { Line } from './line.ts';
import { LineTable } from './line-table.tsx';

export interface LineChartProps {
  /** Names what is shown, in a few words. */
  readonly title: string;
  readonly lines: readonly Line[];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly heightPx?: number;
  readonly yRange?: readonly [number, number];
  /** Values that hold from one x to the next. */
  readonly isStepped?: boolean;
  /** What a band around a line is. */
  readonly bandText?: string;
  readonly isLegendShown?: boolean;
}

/** Lines over a common axis, with a legend that tells the values under the pointer, and the same as a table. */
export function LineChart({
  title,
  lines,
  xLabel,
  yLabel,
  heightPx = 260,
  yRange,
  isStepped = false,
  bandText,
  isLegendShown = true,
}: LineChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const [pointedX, setPointedX] = useState<number | null>(null);
  const drawn = JSON.stringify([lines, xLabel, yLabel, heightPx, yRange, isStepped]);
  useEffect(() => {
    const { current } = element;
    if (current === null || lines.length === 0) return;
    const plot = drawLines(current, {
      lines,
      xLabel,
      yLabel,
      heightPx,
      isStepped,
      onPoint: setPointedX,
      ...(yRange !== undefined && { yRange }),
    });
    return stopped(current, plot, heightPx);
  }, [drawn]);
  if (lines.every(({ points }) => points.length === 0)) return <p class="empty">{title}: nothing was measured yet.</p>;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div
        ref={element}
        class="plot"
        role="img"
        aria-label={`${title}: ${lines.length} lines of ${yLabel} over ${xLabel}. The same stands in the table below.`}
      />
      {isLegendShown && <Legend lines={lines} pointedX={pointedX} xLabel={xLabel} bandText={bandText} />}
      <AsTable>{() => <LineTable title={title} lines={lines} xLabel={xLabel} />}</AsTable>
    </figure>
  );
}

/** Keeps a plot as wide as its place and in the colours of the page; gives what ends it. */
function stopped(element: HTMLElement, plot: uPlot, heightPx: number): () => void {
  const observer = new ResizeObserver(() =>
    plot.setSize({ width: Math.max(200, element.clientWidth), height: heightPx }),
  );
  observer.observe(element);
  const stopTheme = onTheme(() => plot.redraw(false, true));
  return () => {
    stopTheme();
    observer.disconnect();
    plot.destroy();
  };
}

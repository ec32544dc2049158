import { numberText } from '../parts/number-text.ts';
import type { Line } from './line.ts';
import { shortText } from './short-text.ts';

interface LegendProps {
  readonly lines: readonly Line[];
  /** Where the pointer is. */
  readonly pointedX: number | null;
  readonly xLabel: string;
  readonly bandText: string | undefined;
}

/** What each line is, with n where it is of several runs, and its value under the pointer. */
export function Legend({ lines, pointedX, xLabel, bandText }: LegendProps) {
  return (
    <div class="legend">
      <ul>
        {lines.map((line) => (
          <li key={line.label}>
            <Sample color={line.color} isDashed={line.isDashed ?? false} /> {line.label}
            {countOf(line) !== null && <span class="n"> n = {countOf(line)}</span>}
            {pointedX !== null && (
              <span class="pointed"> {numberText(line.points.find(({ x }) => x === pointedX)?.y)}</span>
            )}
          </li>
        ))}
      </ul>
      <p class="about">
        {pointedX !== null ? `Values at ${shortText(pointedX)} ${xLabel}. ` : ''}
        {bandText ?? ''}
      </p>
    </div>
  );
}

/** Of how many runs a line is, as a range where it differs. */
function countOf({ points }: Line): string | null {
  const counts = points.flatMap(({ n }) => n ?? []);
  if (counts.length === 0) return null;
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return low === high ? String(low) : `${low}–${high}`;
}

/** A piece of a line as it is drawn. */
export function Sample({ color, isDashed }: { readonly color: string; readonly isDashed: boolean }) {
  return (
    <svg class="sample" width="22" height="10" aria-hidden="true">
      <line
        x1="1"
        y1="5"
        x2="21"
        y2="5"
        stroke={`var(${color})`}
        stroke-width={isDashed ? 2 : 3}
        stroke-dasharray={isDashed ? '5 3' : undefined}
      />
    </svg>
  );
}

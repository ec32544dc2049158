import { markdownTable } from '../table-formats/markdown-table.ts';
import { countText, measureText } from '../../web/documents/quantity-text.ts';
import type { StudyCurve, StudyRow } from './read-results.ts';

/** The curve of one run, in the order of its rounds. */
export type RunCurve = readonly StudyCurve[];

/** Points by run, in the order of their first appearance. */
export function curvesOf(points: readonly StudyCurve[]): RunCurve[] {
  const runs = new Map<string, StudyCurve[]>();
  for (const point of points) {
    const key = `${point.variant}/${point.seed}`;
    runs.set(key, [...(runs.get(key) ?? []), point]);
  }
  return [...runs.values()].map((run) => run.sort((a, b) => a.round - b.round));
}

/** The evaluated round with the highest held-out return, the earliest of equals; null where none was measured. */
export function peakOf(curve: RunCurve): StudyCurve | null {
  const measured = curve.filter(({ heldoutReturn }) => heldoutReturn !== null && !Number.isNaN(heldoutReturn));
  return measured.reduce<StudyCurve | null>(
    (best, point) => (best === null || point.heldoutReturn! > best.heldoutReturn! ? point : best),
    null,
  );
}

/**
 * A line for every run: where its held-out return was highest, and where it ended. The best of many noisy rounds is too
 * high; `fall` is measured on other episodes than the best round was chosen on.
 */
export function curveTable(points: readonly StudyCurve[], rows: readonly StudyRow[]): string {
  const lines = curvesOf(points).map((curve) => {
    const last = curve.at(-1)!;
    const peak = peakOf(curve);
    return [
      `\`${last.variant}\``,
      String(last.seed),
      measureText(last.trainReturn),
      ...(peak === null ? ['–', '–'] : [measureText(peak.heldoutReturn), countText(peak.envSteps)]),
      measureText(last.heldoutReturn),
      peak === null || last.heldoutReturn === null ? '–' : measureText(peak.heldoutReturn! - last.heldoutReturn),
      ...fallTexts(rows.find(({ row }) => row.variant === last.variant && row.seed === last.seed)),
    ];
  });
  const found = ['train at last', 'held-out at its best', 'after env steps', 'held-out at last', 'lost since'];
  return markdownTable(['variant', 'seed', ...found, 'fall on other episodes', 'rise then fall'], lines);
}

function fallTexts(run: StudyRow | undefined): [fall: string, isFall: string] {
  const { fall = null, rise_then_fall: isFall = null } = run?.cells ?? {};
  return [typeof fall === 'number' ? measureText(fall) : '–', isFall === null ? '–' : isFall === true ? 'yes' : 'no'];
}

/** Of the runs of which it is known, how many rise and then fall. */
export function fallCounts(rows: readonly Pick<StudyRow, 'cells'>[]): {
  readonly falls: number;
  readonly known: number;
} {
  const verdicts = rows.map(({ cells }) => cells['rise_then_fall']).filter((value) => typeof value === 'boolean');
  return { falls: verdicts.filter(Boolean).length, known: verdicts.length };
}

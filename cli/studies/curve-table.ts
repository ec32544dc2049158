import { markdownTable } from '../markdown-table.ts';
import { countText, measureText } from '../quantity-text.ts';
import type { StudyCurve } from './read-results.ts';

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

/** A line for every run: where its held-out return was highest, and where it ended. */
export function curveTable(points: readonly StudyCurve[]): string {
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
    ];
  });
  return markdownTable(
    ['variant', 'seed', 'train at last', 'held-out at its best', 'after env steps', 'held-out at last', 'lost since'],
    lines,
  );
}

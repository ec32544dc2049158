import type { Rounds } from '../../contract/runs.ts';
import type { Decoded } from '../api/decoded.ts';
import { seriesColor, type Line, type LinePoint } from '../charts/line.ts';

export type ShownRound = Decoded<Rounds>['rounds'][number];

/** What a run got on one simulator, in training or in an evaluation on the way. */
type Means = ShownRound['training'][number];

/** Where returns are from: episodes of training, or evaluations on a panel. */
export const SOURCES = ['training', 'train', 'validation', 'test'] as const;
export type Source = (typeof SOURCES)[number];

export const SOURCE_TEXTS: Readonly<Record<Source, string>> = {
  training: 'while training',
  train: 'evaluated on train',
  validation: 'validation',
  test: 'test',
};

const PANEL_LABELS: readonly (readonly [Source, string])[] = [
  ['training', 'while training'],
  ['train', 'train, evaluated'],
  ['validation', 'validation'],
  ['test', 'test'],
];

const meansOf = (round: ShownRound, source: Source): readonly Means[] =>
  source === 'training' ? round.training : round.evaluation.filter(({ panel }) => panel === source);

/** A line for each panel that was measured: the mean over its simulators, the band from the worst to the best of them. */
export function panelLines(rounds: readonly ShownRound[]): Line[] {
  return PANEL_LABELS.map(([source, label], index) => ({
    label,
    color: seriesColor(index),
    isDashed: source === 'training',
    points: rounds.flatMap((round) => pointOf(round, meansOf(round, source))),
  })).filter(({ points }) => points.length > 0);
}

function pointOf({ env_steps: x }: ShownRound, means: readonly Means[]): LinePoint[] {
  const returns = means.map(({ return_mean: each }) => each);
  if (returns.length === 0) return [];
  const y = returns.reduce((sum, each) => sum + each, 0) / returns.length;
  return [{ x, y, low: Math.min(...returns), high: Math.max(...returns), n: returns.length }];
}

/** A line for each simulator that was played, in the order in which they came. */
export function simulatorLines(rounds: readonly ShownRound[], source: Source): Line[] {
  const points = new Map<string, LinePoint[]>();
  for (const round of rounds) {
    for (const { simulator, return_mean: y } of meansOf(round, source)) {
      const known = points.get(simulator);
      if (known === undefined) points.set(simulator, [{ x: round.env_steps, y }]);
      else known.push({ x: round.env_steps, y });
    }
  }
  return [...points].map(([label, each], index) => ({ label, color: seriesColor(index), points: each }));
}

/** As many lines as can be told apart: those whose last return is the lowest, or the highest. */
export function pickLines(lines: readonly Line[], { count, from }: { count: number; from: 'worst' | 'best' }): Line[] {
  const sign = from === 'worst' ? 1 : -1;
  return lines
    .toSorted((a, b) => sign * compare(lastOf(a), lastOf(b)))
    .slice(0, count)
    .map((line, index) => ({ ...line, color: seriesColor(index) }));
}

const lastOf = ({ points }: Line): number => points.at(-1)?.y ?? NaN;

/** NaN is worse than anything. */
function compare(a: number, b: number): number {
  const [left, right] = [a, b].map((each) => (Number.isNaN(each) ? -Infinity : each)) as [number, number];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** A line for each metric of training, and for what a round took, by its name. */
export function metricLines(rounds: readonly ShownRound[]): Line[] {
  const measured = rounds.map((round) => ({ x: round.env_steps, metrics: { ...round.metrics, ...takenBy(round) } }));
  const names = [...new Set(measured.flatMap(({ metrics }) => Object.keys(metrics)))].sort();
  return names.map((name) => ({
    label: name,
    color: seriesColor(0),
    points: measured.flatMap(({ x, metrics }) => (name in metrics ? [{ x, y: metrics[name]! }] : [])),
  }));
}

/** Time, memory and waiting of a round that was trained. */
function takenBy(round: ShownRound): Record<string, ShownRound['metrics'][string]> {
  if (round.round === 0) return {};
  const idle = round.sampler_idle_shares.map((share, sampler) => [`sampler_idle_share.${sampler}`, share] as const);
  return {
    peak_rss_mib: round.peak_rss_mib,
    wall_s: round.wall_s,
    ...(round.peak_gpu_mib !== null && { peak_gpu_mib: round.peak_gpu_mib }),
    ...Object.fromEntries(idle),
  };
}

import type { ResultRow } from '../learning/results/result-row.ts';
import type { Column } from '../learning/results/column.ts';
import { stateCounts } from '../learning/results/state-counts.ts';
import { INTERVAL_VALUES_MIN } from '../learning/statistics/bootstrap.ts';
import { comparabilityText } from '../web/documents/comparability.ts';
import { listingText } from './listing.ts';
import { countText, measureText, pluralText } from '../web/documents/quantity-text.ts';
import { metricValue } from '../learning/results/result-columns.ts';
import { confidenceInterval, groupRows, summarize, verdictCounts } from '../learning/results/result-summary.ts';
import type { ResultSet } from '../learning/results/results-document.ts';
import { countsText } from './run-counts.ts';
import { spreadText } from './spread-text.ts';
import { visibleCell } from './visible-text.ts';

export type Dimension = 'seed' | 'variant';

/** Results for people: a line for every variant, then the metric by seed and variant. */
export function resultsText(set: ResultSet, metric: string, by: readonly Dimension[]): string {
  const { experiment, rows } = set;
  const counts = countsText(stateCounts(rows));
  return [
    `${experiment.id}  version ${experiment.version} of ${experiment.name}, ${pluralText(rows.length, 'run')}: ${counts}`,
    [variantTable(rows), ...upperBoundLines(rows)].join('\n'),
    `${metric} by ${by.join(' and ')}`,
    by.length === 1 ? groupTable(rows, metric, by[0]!) : crossTable(rows, metric, by[0]!, by[1]!),
    ...failureLines(rows),
    legend(rows),
  ].join('\n\n');
}

type Group = readonly [name: string, rows: readonly ResultRow[]];

const spread =
  (metric: string) =>
  ([, rows]: Group): string =>
    spreadText(summarize(rows, metric));

const VARIANT_COLUMNS: readonly Column<Group>[] = [
  { key: 'variant', value: ([name]) => name },
  { key: 'n', align: 'right', value: ([, rows]) => measuredText(rows) },
  { key: 'train', align: 'right', value: spread('train_return') },
  { key: 'held-out', align: 'right', value: spread('heldout_return') },
  { key: 'worst', align: 'right', value: ([, rows]) => measureText(summarize(rows, 'worst_heldout').mean) },
  { key: 'random', align: 'right', value: ([, rows]) => measureText(randomReturn(rows)) },
  { key: 'gap', align: 'right', value: spread('collapse_gap') },
  { key: 'relative gap', align: 'right', value: ([, rows]) => gapText(rows) },
  { key: 'verdict', value: ([, rows]) => verdictCounts(rows) || '–' },
];

function variantTable(rows: readonly ResultRow[]): string {
  return listingText(VARIANT_COLUMNS, [...groupRows(rows, (row) => row.variant)], 'table');
}

/** What could be reached on each test panel: the return of the variants that trained on it. */
function upperBoundLines(rows: readonly ResultRow[]): string[] {
  const panels = groupRows(
    rows.filter(({ specialist }) => specialist === 'panel'),
    ({ variant }) => variant,
  );
  return [...panels].map(([variant, group]) => {
    const summary = summarize(group, 'train_return');
    const which = panels.size === 1 ? '' : ` (${variant})`;
    return `trained on the test panel itself${which}: ${spreadText(summary)} (n ${summary.n})`;
  });
}

/** Runs with a measured last checkpoint, of those there should be. */
export function measuredText(rows: readonly ResultRow[]): string {
  return `${rows.filter(({ last }) => last !== null).length}/${rows.length}`;
}

/** What the random policy gets on the test panel; without it no return says whether anything was learnt. */
export function randomReturn(rows: readonly ResultRow[]): number | null {
  const values = rows.flatMap(({ last }) => {
    const { heldoutReturn = null, heldoutGain = null } = last ?? {};
    return heldoutReturn === null || heldoutGain === null ? [] : [heldoutReturn - heldoutGain];
  });
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function gapText(rows: readonly ResultRow[]): string {
  return `${measureText(summarize(rows, 'relative_gap').mean)}${intervalText(rows, 'relative_gap', ' ')}`;
}

/** One dimension: the metric over all runs of each of its values. */
function groupTable(rows: readonly ResultRow[], metric: string, dimension: Dimension): string {
  const lines = [...groupRows(sortedBy(rows, dimension), (row) => String(row[dimension]))].map(([name, group]) => ({
    name,
    group,
    ...summarize(group, metric),
  }));
  const columns: readonly Column<(typeof lines)[number]>[] = [
    { key: dimension, value: ({ name }) => name },
    { key: 'n', align: 'right', value: ({ n, nExpected }) => `${n}/${nExpected}` },
    { key: 'mean', align: 'right', value: (line) => measureText(line.mean) },
    { key: 'iqm', align: 'right', value: ({ iqm }) => measureText(iqm) },
    { key: 'std', align: 'right', value: ({ std }) => measureText(std) },
    { key: '95 % interval of the mean', value: ({ group }) => intervalText(group, metric, '') || '–' },
  ];
  return listingText(columns, lines, 'table');
}

export function intervalText(rows: readonly ResultRow[], metric: string, separator: string): string {
  const interval = confidenceInterval(rows, metric);
  return interval === null ? '' : `${separator}[${interval.map(measureText).join(', ')}]`;
}

/** Two dimensions: every run in its cell, with its state where it has no value. */
function crossTable(rows: readonly ResultRow[], metric: string, down: Dimension, across: Dimension): string {
  const lines: Group[] = [...groupRows(sortedBy(rows, down), (row) => String(row[down]))];
  const names = [...groupRows(sortedBy(rows, across), (row) => String(row[across])).keys()];
  const columns: Column<Group>[] = names.map((name) => ({
    key: name,
    align: 'right',
    value: ([, cells]) =>
      cellText(
        cells.find((row) => String(row[across]) === name),
        metric,
      ),
  }));
  return listingText([{ key: down, value: ([name]) => name }, ...columns], lines, 'table');
}

function cellText(row: ResultRow | undefined, metric: string): string {
  if (row === undefined) return '–';
  const value = metricValue(row, metric);
  // Of a run that is measured the metric itself may be missing, as the held-out return of a specialist is.
  return value === null && row.last === null ? row.state : measureText(value);
}

/** By seed in order of number; by variant as the rows are, in the order of the spec. */
export function sortedBy(rows: readonly ResultRow[], dimension: Dimension): readonly ResultRow[] {
  return dimension === 'variant' ? rows : [...rows].sort((a, b) => a.seed - b.seed);
}

const REASONS_SHOWN = 10;

function failureLines(rows: readonly ResultRow[]): string[] {
  const failed = rows.filter(({ state }) => ['FAILED', 'CRASHED', 'TIMED_OUT'].includes(state));
  if (failed.length === 0) return [];
  const lines = failed
    .slice(0, REASONS_SHOWN)
    .map(
      ({ variant, seed, state, reason }) =>
        `  ${variant}/${seed}  ${state}: ${visibleCell(reason ?? 'no reason recorded')}`,
    );
  const more = failed.length > REASONS_SHOWN ? [`  … and ${countText(failed.length - REASONS_SHOWN)} more`] : [];
  return [['Did not succeed:', ...lines, ...more].join('\n')];
}

function legend(rows: readonly ResultRow[]): string {
  const hasIntervals = [...groupRows(rows, (row) => row.variant).values()].some(
    (group) => group.filter(({ last }) => last !== null).length >= INTERVAL_VALUES_MIN,
  );
  const interval = hasIntervals ? ', in brackets its 95 % bootstrap interval over seeds' : '';
  return [
    'Last checkpoint; mean ± standard deviation over n of the seeds expected. train, held-out: return on simulators the',
    'run trains on and on those it never saw; worst: on the hardest of these; random: the random policy on them.',
    `relative gap: the share of what was learnt over random that is lost on them, all seeds together${interval}.`,
    comparabilityText(rows),
  ].join('\n');
}

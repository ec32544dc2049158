import type { ResultRow } from '../../learning/results/result-row.ts';
import type { Column } from '../../learning/results/column.ts';
import { stateCounts } from '../../learning/results/state-counts.ts';
import { INTERVAL_VALUES_MIN } from '../../learning/statistics/bootstrap.ts';
import { comparabilityText } from '../../web/documents/comparability.ts';
import { listingText } from '../table-formats/listing.ts';
import { countText, measureText, pluralText } from '../../web/documents/quantity-text.ts';
import { confidenceInterval, groupRows, summarize, verdictCounts } from '../../learning/results/result-summary.ts';
import type { ResultSet } from '../../learning/results/results-document.ts';
import { roundChoiceText, type RoundChoice } from '../../learning/results/round-choice.ts';
import { SHAPES } from '../../learning/results/shapes/index.ts';
import type { Dimension } from '../../learning/results/shapes/shape.ts';
import type { Table } from '../../learning/results/table.ts';
import { countsText } from '../runs/run-counts.ts';
import { spreadText } from '../table-formats/spread-text.ts';
import { terminalFormat } from '../table-formats/terminal.ts';
import { visibleCell } from '../terminal/visible-text.ts';

/** Which experiment it is, and how its runs stand. */
export function resultsHead({ experiment, rows }: ResultSet): string {
  const counts = countsText(stateCounts(rows));
  return `${experiment.id}  version ${experiment.version} of ${experiment.name}, ${pluralText(rows.length, 'run')}: ${counts}`;
}

/** Results for people: a line for every variant, then the metric by seed and variant. */
export function resultsText(
  set: ResultSet,
  metric: string,
  by: readonly Dimension[],
  { shown = set.rows, round = 'last' }: { shown?: readonly ResultRow[]; round?: RoundChoice } = {},
): string {
  const rows = shown;
  return [
    resultsHead(set),
    [variantTable(rows), ...upperBoundLines(rows)].join('\n'),
    `${metric} by ${by.join(' and ')}`,
    terminalFormat(metricTable(rows, metric, by), []),
    ...failureLines(rows),
    legend(rows, round),
  ].join('\n\n');
}

/** Of two keys every run in its cell, with its state where it has no value; of one the metric over the runs of each. */
function metricTable(rows: readonly ResultRow[], metric: string, by: readonly Dimension[]): Table {
  const { build } = by.length === 1 ? SHAPES.fold : SHAPES.wide;
  return build({ rows, metrics: [metric], by, isForPeople: true, spread: 'std' }).table;
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

export function intervalText(rows: readonly ResultRow[], metric: string, separator: string): string {
  const interval = confidenceInterval(rows, metric);
  return interval === null ? '' : `${separator}[${interval.map(measureText).join(', ')}]`;
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

function legend(rows: readonly ResultRow[], round: RoundChoice): string {
  const hasIntervals = [...groupRows(rows, (row) => row.variant).values()].some(
    (group) => group.filter(({ last }) => last !== null).length >= INTERVAL_VALUES_MIN,
  );
  const interval = hasIntervals ? ', in brackets its 95 % bootstrap interval over seeds' : '';
  return [
    `${roundChoiceText(round)}; mean ± standard deviation over n of the seeds expected. train, held-out: return on simulators the`,
    'run trains on and on those it never saw; worst: on the hardest of these; random: the random policy on them.',
    `relative gap: the share of what was learnt over random that is lost on them, all seeds together${interval}.`,
    comparabilityText(rows),
  ].join('\n');
}

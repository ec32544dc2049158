import type { NewestMetrics } from '../../infra/postgres/newest-metrics.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import type { RunScore } from '../../infra/postgres/score-extremes.ts';
import { stateCounts } from '../../learning/results/state-counts.ts';
import { countText, durationText, measureText, pluralText } from '../../web/documents/quantity-text.ts';
import type { ExperimentView } from './experiment-view.ts';
import { metricText } from '../runs/round-columns.ts';
import { countsText } from '../runs/run-counts.ts';
import { visibleCell } from '../terminal/visible-text.ts';

const RUNS_SHOWN_MAX = 8;
/** Lines of a block that are no runs: counts, speed, states, returns, how many more there are, and the cursor's own. */
const OTHER_LINES = 6;

/** How training goes, in the order in which it is told; an algorithm has some of them. */
const METRICS_SHOWN = [
  'entropy',
  'exploration',
  'policy_loss',
  'value_loss',
  'loss',
  'gradient_norm',
  'explained_variance',
];

/** Size of a terminal. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/** Progress in one line, for logs. */
export function progressLine(view: ExperimentView): string {
  return [countsPart(view), ...speedParts(view)].join(', ');
}

/**
 * Progress with the rounds of the runs in hand, for a terminal; no more than fits on it. Speed and time left have a line of
 * their own, since a line that is too long is cut.
 */
export function progressBlock(view: ExperimentView, { columns, rows }: Screen): string {
  const { running } = view.progress;
  const speed = speedParts(view);
  const shown = Math.max(1, Math.min(RUNS_SHOWN_MAX, rows - OTHER_LINES));
  const lines = [
    countsPart(view),
    ...(speed.length > 0 ? [`  ${speed.join(', ')}`] : []),
    `  ${countsText(stateCounts(view.runs))}`,
    ...returnsPart(view),
    ...running.slice(0, shown).map((run) => runLine(run, view.metrics.get(run.id) ?? {})),
    ...(running.length > shown ? [`  … and ${running.length - shown} more`] : []),
  ];
  return lines.map((line) => cut(line, columns)).join('\n');
}

function cut(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}

function countsPart({ id, progress: { doneCount, runCount, running, share } }: ExperimentView): string {
  const parts = [
    `${id}  ${doneCount} of ${pluralText(runCount, 'run')} done`,
    ...(running.length > 0 ? [`${running.length} running`] : []),
    `${Math.floor(100 * share)} %`,
  ];
  return parts.join(', ');
}

function speedParts({ progress }: ExperimentView): string[] {
  const { doneCount, runCount, stepsPerSecond, remainingS } = progress;
  return [
    ...(stepsPerSecond > 0 ? [`${countText(stepsPerSecond)} env steps/s`] : []),
    ...(remainingS === null || remainingS === 0 || doneCount === runCount
      ? []
      : [`about ${durationText(remainingS)} left`]),
  ];
}

function returnsPart({ extremes }: ExperimentView): string[] {
  if (extremes === null) return [];
  const { best, worst } = extremes;
  const isOne = best.variant === worst.variant && best.seed === worst.seed;
  const parts = isOne ? [scoreText(best)] : [`best ${scoreText(best)}`, `worst ${scoreText(worst)}`];
  return [`  test return so far: ${parts.join(', ')}`];
}

function scoreText({ variant, seed, round, heldoutReturn }: RunScore): string {
  return `${measureText(heldoutReturn)} (${variant}/${seed}, round ${round})`;
}

function runLine(run: RunStatus, metrics: NewestMetrics): string {
  const { variant, seed, state, roundsCompleted, roundCount, reason } = run;
  const place = roundsCompleted === roundCount ? 'final evaluation' : `round ${roundsCompleted + 1} of ${roundCount}`;
  const trouble = state === 'RUNNING' ? '' : `  ${state}${reason === null ? '' : `: ${visibleCell(reason)}`}`;
  return `  ${variant}/${seed}  ${place}${trouble}${metricsText(metrics)}`;
}

function metricsText(metrics: NewestMetrics): string {
  const told = METRICS_SHOWN.filter((name) => name in metrics).map((name) => `${name} ${metricText(metrics[name]!)}`);
  return told.length === 0 ? '' : `  ${told.join(', ')}`;
}

import type { RunStatus } from '../infra/postgres/run-rows.ts';
import { countText, durationText, pluralText } from '../web/documents/quantity-text.ts';
import { visibleCell } from './visible-text.ts';
import type { Progress } from '../specification/progress.ts';

const RUNS_SHOWN = 8;

/** Progress in one line, for logs. */
export function progressLine(id: string, progress: Progress<RunStatus>): string {
  return [countsPart(id, progress), ...speedParts(progress)].join(', ');
}

/**
 * Progress with the rounds of the runs in hand, for a terminal. Speed and time left have a line of their own, since a line
 * that is too long is cut.
 * @param width columns of the terminal
 */
export function progressBlock(id: string, progress: Progress<RunStatus>, width: number): string {
  const { running } = progress;
  const speed = speedParts(progress);
  const more = running.length > RUNS_SHOWN ? [`  … and ${running.length - RUNS_SHOWN} more`] : [];
  const lines = [
    countsPart(id, progress),
    ...(speed.length > 0 ? [`  ${speed.join(', ')}`] : []),
    ...running.slice(0, RUNS_SHOWN).map(runLine),
    ...more,
  ];
  return lines.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line)).join('\n');
}

function countsPart(id: string, { doneCount, runCount, running, share }: Progress<RunStatus>): string {
  const parts = [
    `${id}  ${doneCount} of ${pluralText(runCount, 'run')} done`,
    ...(running.length > 0 ? [`${running.length} running`] : []),
    `${Math.floor(100 * share)} %`,
  ];
  return parts.join(', ');
}

function speedParts({ doneCount, runCount, stepsPerSecond, remainingS }: Progress<RunStatus>): string[] {
  return [
    ...(stepsPerSecond > 0 ? [`${countText(stepsPerSecond)} env steps/s`] : []),
    ...(remainingS === null || doneCount === runCount ? [] : [`about ${durationText(remainingS)} left`]),
  ];
}

function runLine({ variant, seed, state, roundsCompleted, roundCount, reason }: RunStatus): string {
  const place = roundsCompleted === roundCount ? 'final evaluation' : `round ${roundsCompleted + 1} of ${roundCount}`;
  const trouble = state === 'RUNNING' ? '' : `  ${state}${reason === null ? '' : `: ${visibleCell(reason)}`}`;
  return `  ${variant}/${seed}  ${place}${trouble}`;
}

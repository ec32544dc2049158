import type { RunStatus } from '../infra/postgres/run-rows.ts';
import { countText, durationText, pluralText } from './quantity-text.ts';
import type { Progress } from './progress.ts';

const RUNS_SHOWN = 8;

/** Progress in one line, for logs. */
export function progressLine(id: string, progress: Progress): string {
  const { doneCount, runCount, running, stepsPerSecond, share, remainingS } = progress;
  const parts = [
    `${id}  ${doneCount} of ${pluralText(runCount, 'run')} done`,
    ...(running.length > 0 ? [`${running.length} running`] : []),
    `${Math.floor(100 * share)} %`,
    ...(stepsPerSecond > 0 ? [`${countText(stepsPerSecond)} env steps/s`] : []),
    ...(remainingS === null || doneCount === runCount ? [] : [`about ${durationText(remainingS)} left`]),
  ];
  return parts.join(', ');
}

/** Progress with the rounds of the runs in hand, for a terminal. @param width columns of the terminal */
export function progressBlock(id: string, progress: Progress, width: number): string {
  const { running } = progress;
  const more = running.length > RUNS_SHOWN ? [`  … and ${running.length - RUNS_SHOWN} more`] : [];
  const lines = [progressLine(id, progress), ...running.slice(0, RUNS_SHOWN).map(runLine), ...more];
  return lines.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line)).join('\n');
}

function runLine({ variant, seed, state, roundsCompleted, roundCount, reason }: RunStatus): string {
  const place = roundsCompleted === roundCount ? 'final evaluation' : `round ${roundsCompleted + 1} of ${roundCount}`;
  const trouble = state === 'RUNNING' ? '' : `  ${state}${reason === null ? '' : `: ${reason}`}`;
  return `  ${variant}/${seed}  ${place}${trouble}`;
}

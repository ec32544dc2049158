import type { RunStatus } from '../infra/postgres/run-rows.ts';
import { FAILED_STATES } from './run-counts.ts';

/** What can be done about runs that are over without success, or paused: a line each, none when all succeeded. */
export function nextSteps(id: string, runs: readonly Pick<RunStatus, 'state'>[]): string {
  const hasPaused = runs.some(({ state }) => state === 'PAUSED');
  const hasCancelled = runs.some(({ state }) => state === 'CANCELLED');
  const hasFailed = runs.some(({ state }) => (FAILED_STATES as readonly string[]).includes(state));
  const lines = [
    ...(hasPaused ? [`  thaw resume ${id}    goes on with the paused runs, each from its last committed round`] : []),
    ...(hasCancelled && !hasPaused
      ? [`  thaw resume ${id}    goes on with the cancelled runs, each from its last committed round`]
      : []),
    ...(hasFailed
      ? [`  thaw retry --failed ${id}    tries the failed runs again, from their last committed rounds`]
      : []),
  ];
  return lines.map((line) => `\n${line}`).join('');
}

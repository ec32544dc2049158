import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { FAILED_STATES } from '../runs/run-counts.ts';

/**
 * What can be done about runs that are over without success, or paused: a line each, none when all succeeded.
 * @param id of the experiment, or of its only run that is meant
 */
export function nextSteps(id: string, runs: readonly Pick<RunStatus, 'state'>[]): string {
  const hasPaused = runs.some(({ state }) => state === 'PAUSED');
  const hasCancelled = runs.some(({ state }) => state === 'CANCELLED');
  const hasFailed = runs.some(({ state }) => (FAILED_STATES as readonly string[]).includes(state));
  const those = (which: string): string =>
    runs.length === 1
      ? 'goes on from its last committed round'
      : `goes on with the ${which} runs, each from its last committed round`;
  const lines = [
    ...(hasPaused ? [`  thaw resume ${id}    ${those('paused')}`] : []),
    ...(hasCancelled && !hasPaused ? [`  thaw resume ${id}    ${those('cancelled')}`] : []),
    ...(hasFailed
      ? [`  thaw retry --failed ${id}    tries the failed runs again, from their last committed rounds`]
      : []),
  ];
  return lines.map((line) => `\n${line}`).join('');
}

import type { RunStatus } from '../infra/postgres/run-rows.ts';
import { FAILED_STATES } from './run-counts.ts';

/** What can be done about runs that are over without success: a line each, none when all succeeded. */
export function nextSteps(id: string, runs: readonly Pick<RunStatus, 'state'>[]): string {
  const hasCancelled = runs.some(({ state }) => state === 'CANCELLED');
  const hasFailed = runs.some(({ state }) => (FAILED_STATES as readonly string[]).includes(state));
  const lines = [
    ...(hasCancelled
      ? [`  thaw resume ${id}    goes on with the cancelled runs, each from its last committed round`]
      : []),
    ...(hasFailed
      ? [`  thaw retry --failed ${id}    tries the failed runs again, from their last committed rounds`]
      : []),
  ];
  return lines.map((line) => `\n${line}`).join('');
}

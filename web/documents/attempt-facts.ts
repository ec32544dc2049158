import type { LoggedAttempt } from '../../infra/postgres/attempt-log.ts';
import type { Execution } from '../../schemas/resolved-experiment.ts';
import { countText, durationText } from './quantity-text.ts';

/** How an attempt ended, in one word. */
export const outcomeText = ({ outcome }: LoggedAttempt): string => outcome ?? 'running';

/** Seconds from its start to its end; of what still runs, null. */
export function durationS({ startedAt, endedAt }: LoggedAttempt): number | null {
  return endedAt === null ? null : (endedAt.getTime() - startedAt.getTime()) / 1000;
}

export const durationOf = (attempt: LoggedAttempt): string => durationText(durationS(attempt) ?? NaN);

/** How many attempts its class of failure may take in one step of a round; null for what did not fail. */
export function triesMax({ outcome, failureCount }: LoggedAttempt, { retries }: Execution): number | null {
  if (failureCount === null || outcome === null) return null;
  const budgets: Readonly<Record<string, number>> = retries;
  return (Object.hasOwn(budgets, outcome) ? budgets[outcome]! : 0) + 1;
}

/** e.g. `try 2 of 4`; empty for what did not fail. */
export function triesText(attempt: LoggedAttempt, execution: Execution): string {
  const { failureCount } = attempt;
  return failureCount === null ? '' : `try ${failureCount} of ${triesMax(attempt, execution)!}`;
}

/** e.g. `exit code 134`, `signal SIGKILL`; empty where nothing ended, or nobody saw it end. */
export function exitText({ exitCode, signal }: LoggedAttempt): string {
  if (signal !== null) return `signal ${signal}`;
  return exitCode === null ? '' : `exit code ${exitCode}`;
}

/** Peak of the process in MiB, of its limit; empty where neither is known. */
export function memoryText({ peakRssMib, settings }: LoggedAttempt): string {
  if (peakRssMib === null && settings === null) return '';
  const peak = peakRssMib === null || peakRssMib === 0 ? '–' : countText(Math.ceil(peakRssMib));
  return settings === null ? peak : `${peak}/${countText(settings.memoryLimitMib)}`;
}

/** How a run that was made smaller was carried out; empty where it was not. */
export function settingsText({ settings, isShrunk }: LoggedAttempt): string {
  if (settings === null || !isShrunk) return '';
  const { samplerProcesses, chunkRows } = settings;
  return `sampler_processes ${samplerProcesses}, ${countText(chunkRows)} rows at once`;
}

/** The last line of what its process wrote that says something: a place in the code does not. */
export function lastLine({ logTail }: LoggedAttempt): string | null {
  const lines = (logTail ?? '').split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => !/^\s+at /.test(line)) ?? lines.at(-1) ?? null)?.trim() ?? null;
}

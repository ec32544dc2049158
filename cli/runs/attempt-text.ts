import type { LoggedAttempt } from '../../infra/postgres/attempt-log.ts';
import type { Execution } from '../../schemas/resolved-experiment.ts';
import {
  durationOf,
  exitText,
  lastLine,
  memoryText,
  outcomeText,
  settingsText,
  triesText,
} from '../../web/documents/attempt-facts.ts';

/** Attempts that failed or were stopped are told at length. */
export function attemptText(attempt: LoggedAttempt, execution: Execution): string {
  const { number, kind, round, outcome, message } = attempt;
  const how = [`${outcomeText(attempt)} after ${durationOf(attempt)}`, triesText(attempt, execution)].filter(Boolean);
  const head = `attempt ${number}, ${kind} of round ${round}: ${how.join(', ')}`;
  const settings = settingsText(attempt);
  if (outcome === 'done') return settings === '' ? head : `${head}, ${settings}`;
  return indented([`${head}${message === null ? '' : `: ${message}`}`, ...detailsOf(attempt)].join('\n'));
}

function detailsOf(attempt: LoggedAttempt): string[] {
  const { runId, number, worker, processId, nextChange, logTail } = attempt;
  const memory = memoryText(attempt);
  const facts = [
    `worker ${worker}`,
    processId === null ? 'no process is known' : `process ${processId}`,
    exitText(attempt),
    memory === '' ? '' : `${memory.replace('/', ' of ')} MiB`,
    settingsText(attempt),
  ];
  const words = lastLine(attempt);
  return [
    facts.filter(Boolean).join(', '),
    ...(words === null ? [] : [`last line: ${words}`]),
    ...(nextChange === null ? [] : [`from now on: ${nextChange}`]),
    logTail === null || logTail === '' ? 'it left no log' : `its log: thaw logs ${runId} --attempt ${number}`,
  ];
}

/** Further lines are indented, so that none passes for an entry of its own. */
export function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}

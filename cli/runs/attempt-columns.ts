import type { Column } from '../../learning/results/column.ts';
import type { LoggedAttempt } from '../../infra/postgres/attempt-log.ts';
import type { Execution } from '../../schemas/resolved-experiment.ts';
import * as facts from '../../web/documents/attempt-facts.ts';
import { timeText } from '../../web/documents/quantity-text.ts';

/** What is told of the attempts of a run, in a table. */
export function attemptColumns(execution: Execution): readonly Column<LoggedAttempt>[] {
  return [
    { key: 'number', title: '#', align: 'right', value: ({ number }) => number },
    { key: 'step', value: ({ kind, round }) => `${kind} ${round}` },
    {
      key: 'outcome',
      value: facts.outcomeText,
      text: (row) => [facts.outcomeText(row), facts.triesText(row, execution)].filter(Boolean).join(', '),
    },
    { key: 'exit', value: facts.exitText },
    { key: 'memory', title: 'MiB', align: 'right', value: facts.memoryText },
    { key: 'started_at', title: 'start', value: ({ startedAt }) => timeText(startedAt) },
    { key: 'duration_s', title: 'time', align: 'right', value: facts.durationS, text: facts.durationOf },
    { key: 'worker', value: ({ worker }) => worker },
    { key: 'process_id', title: 'process', align: 'right', value: ({ processId }) => processId },
    { key: 'settings', title: 'smaller', value: facts.settingsText },
    { key: 'next_change', title: 'from then on', value: ({ nextChange }) => nextChange ?? '' },
    { key: 'last_line', title: 'last words', value: lastWords },
  ];
}

/** What its process wrote last or, where there was none, why there was none. */
function lastWords(attempt: LoggedAttempt): string {
  return attempt.outcome === 'done' ? '' : (facts.lastLine(attempt) ?? attempt.message ?? '');
}

/** All that is known of an attempt, for programs. */
export function attemptDocument(attempt: LoggedAttempt, execution: Execution): Record<string, unknown> {
  const { settings, startedAt, endedAt } = attempt;
  return {
    number: attempt.number,
    kind: attempt.kind,
    round: attempt.round,
    worker: attempt.worker,
    process_id: attempt.processId,
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    duration_s: facts.durationS(attempt),
    outcome: attempt.outcome,
    try: attempt.failureCount,
    tries_max: facts.triesMax(attempt, execution),
    exit_code: attempt.exitCode,
    signal: attempt.signal,
    message: attempt.message,
    peak_rss_mib: attempt.peakRssMib,
    memory_limit_mib: settings?.memoryLimitMib ?? null,
    sampler_processes: settings?.samplerProcesses ?? null,
    chunk_rows: settings?.chunkRows ?? null,
    is_shrunk: attempt.isShrunk,
    next_change: attempt.nextChange,
    last_line: facts.lastLine(attempt),
    log_tail: attempt.logTail,
  };
}

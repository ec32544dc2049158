import { z } from 'zod';
import { listLoggedAttempts, type LoggedAttempt } from '../../infra/postgres/attempt-log.ts';
import { attemptsSchema, type Attempts } from '../contract/runs.ts';
import { exitText } from '../documents/attempt-facts.ts';
import { askedRun } from './asked-run.ts';
import { defineRoute } from './route.ts';

export const attemptsRoute = defineRoute({
  path: '/runs/{id}/attempts',
  summary: 'What was tried for a run, the first first: how it ended, what it used, what it wrote last.',
  query: z.strictObject({}),
  answer: attemptsSchema,
  async load({ database }, { id }) {
    const { id: runId, experimentId } = await askedRun(database, id);
    const attempts = await listLoggedAttempts(database, { experimentId, runId, which: 'all' });
    return { attempts: attempts.sort((a, b) => a.number - b.number).map(attemptDocument) };
  },
});

function attemptDocument(attempt: LoggedAttempt): Attempts['attempts'][number] {
  return {
    number: attempt.number,
    kind: attempt.kind,
    round: attempt.round,
    worker: attempt.worker,
    process_id: attempt.processId,
    started_at: attempt.startedAt.toISOString(),
    ended_at: attempt.endedAt?.toISOString() ?? null,
    outcome: attempt.outcome,
    exit: exitText(attempt),
    message: attempt.message,
    log_tail: attempt.logTail,
    peak_rss_mib: attempt.peakRssMib,
    memory_limit_mib: attempt.settings?.memoryLimitMib ?? null,
    next_change: attempt.nextChange,
  };
}

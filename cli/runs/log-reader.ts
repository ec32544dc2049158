import type { Database } from '../../infra/postgres/database.ts';
import { listLoggedAttempts, type LoggedAttempt } from '../../infra/postgres/attempt-log.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { attemptDocument } from './attempt-columns.ts';
import { attemptText, indented } from './attempt-text.ts';
import type { Target } from './find-target.ts';

const EVENT_PAGE = 1_000;
/** What was committed late may have ended before what was read already. */
const OVERLAP_MS = 60_000;

/** One thing that happened. */
export interface LogEntry {
  readonly at: Date;
  readonly text: string;
  /** For programs: everything. */
  readonly document: Record<string, unknown>;
}

/** Reads what has been added since the last time. */
export class LogReader {
  readonly #database: Database;
  readonly #target: Target;
  readonly #withAll: boolean;
  readonly #attemptsSeen = new Set<string>();
  #lastEvent = 0;
  #lastEnd = 0;

  /** @param options.withAll also attempts of an experiment that did not fail; those of one run are told in any case */
  constructor(database: Database, target: Target, { withAll }: { withAll: boolean }) {
    this.#database = database;
    this.#target = target;
    this.#withAll = withAll;
  }

  /** Oldest first. */
  async readNew(): Promise<LogEntry[]> {
    const entries = [...(await this.#readEvents()), ...(await this.#readAttempts())];
    return entries.sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  async #readEvents(): Promise<LogEntry[]> {
    const { experiment, run } = this.#target;
    const entries: LogEntry[] = [];
    for (;;) {
      const page = await listEvents(
        this.#database,
        { experimentId: experiment.id, runId: run?.id },
        { after: this.#lastEvent, limit: EVENT_PAGE },
      );
      for (const { at, runId, kind, message } of page) {
        entries.push({
          at,
          text: `${this.#nameOf(runId)}${kind}: ${indented(message)}`,
          document: { run: runId, event: kind, message },
        });
      }
      this.#lastEvent = page.at(-1)?.id ?? this.#lastEvent;
      if (page.length < EVENT_PAGE) return entries;
    }
  }

  async #readAttempts(): Promise<LogEntry[]> {
    const { experiment, run } = this.#target;
    const attempts = await listLoggedAttempts(this.#database, {
      experimentId: experiment.id,
      runId: run?.id,
      which: run === undefined && !this.#withAll ? 'failed' : 'ended',
      endedAfter: new Date(this.#lastEnd - OVERLAP_MS),
    });
    const fresh = attempts.filter(({ runId, number }) => !this.#attemptsSeen.has(`${runId} ${number}`));
    for (const { runId, number } of fresh) this.#attemptsSeen.add(`${runId} ${number}`);
    this.#lastEnd = Math.max(this.#lastEnd, ...fresh.map(endOf));
    return fresh.map((attempt) => this.#attemptEntry(attempt));
  }

  #attemptEntry(attempt: LoggedAttempt): LogEntry {
    const { execution } = this.#target.experiment.resolved;
    return {
      at: new Date(endOf(attempt)),
      text: `${this.#nameOf(attempt.runId)}${attemptText(attempt, execution)}`,
      document: { run: attempt.runId, attempt: attemptDocument(attempt, execution) },
    };
  }

  /** A run without its experiment, which is the same on every line. */
  #nameOf(runId: string | null): string {
    return runId === null ? '' : `${runId.slice(this.#target.experiment.id.length + 1)}  `;
  }
}

const endOf = ({ startedAt, endedAt }: LoggedAttempt): number => (endedAt ?? startedAt).getTime();

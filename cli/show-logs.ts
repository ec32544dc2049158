import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../infra/postgres/database.ts';
import { listLoggedAttempts, type LoggedAttempt } from '../infra/postgres/attempt-log.ts';
import { listEvents } from '../infra/postgres/event-rows.ts';
import { listRuns } from '../infra/postgres/run-rows.ts';
import { attemptDocument } from './attempt-columns.ts';
import { attemptText, indented } from './attempt-text.ts';
import { findTarget, type Target } from './find-target.ts';
import { jsonText } from './json-text.ts';
import { timeText } from '../web/documents/quantity-text.ts';
import { isFinished } from './run-counts.ts';
import { withDatabase } from './service-session.ts';
import { print } from './terminal.ts';

const EVENT_PAGE = 1_000;
const POLL_MS = 1_000;
/** What was committed late may have ended before what was read already. */
const OVERLAP_MS = 60_000;

interface Entry {
  readonly at: Date;
  readonly text: string;
  /** For programs: everything. */
  readonly document: Record<string, unknown>;
}

interface LogOptions {
  readonly isFollowing: boolean;
  readonly format: 'text' | 'json';
}

/** Prints what happened to an experiment or a run: events, and attempts with the last words of what failed. */
export async function showLogs(id: string, { isFollowing, format }: LogOptions): Promise<void> {
  await withDatabase(async (database) => {
    const target = await findTarget(database, id);
    const log = new LogReader(database, target);
    for (;;) {
      // Looked at before reading, so that nothing written up to the end is missed.
      const isOver = isFinished(await listRuns(database, target.experiment.id));
      for (const { at, text, document } of await log.readNew()) {
        print(format === 'json' ? jsonText({ at: at.toISOString(), ...document }) : `${timeText(at)}  ${text}`);
      }
      if (!isFollowing || isOver) return;
      await delay(POLL_MS);
    }
  });
}

/** Reads what has been added since the last time. */
class LogReader {
  readonly #database: Database;
  readonly #target: Target;
  readonly #attemptsSeen = new Set<string>();
  #lastEvent = 0;
  #lastEnd = 0;

  constructor(database: Database, target: Target) {
    this.#database = database;
    this.#target = target;
  }

  async readNew(): Promise<Entry[]> {
    const entries = [...(await this.#readEvents()), ...(await this.#readAttempts())];
    return entries.sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  async #readEvents(): Promise<Entry[]> {
    const { experiment, run } = this.#target;
    const entries: Entry[] = [];
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

  /** All attempts of a run; of an experiment those that failed. */
  async #readAttempts(): Promise<Entry[]> {
    const { experiment, run } = this.#target;
    const attempts = await listLoggedAttempts(this.#database, {
      experimentId: experiment.id,
      runId: run?.id,
      which: run === undefined ? 'failed' : 'ended',
      endedAfter: new Date(this.#lastEnd - OVERLAP_MS),
    });
    const fresh = attempts.filter(({ runId, number }) => !this.#attemptsSeen.has(`${runId} ${number}`));
    for (const { runId, number } of fresh) this.#attemptsSeen.add(`${runId} ${number}`);
    this.#lastEnd = Math.max(this.#lastEnd, ...fresh.map(endOf));
    return fresh.map((attempt) => this.#attemptEntry(attempt));
  }

  #attemptEntry(attempt: LoggedAttempt): Entry {
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

import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../infra/postgres/database.ts';
import { countStates, type StateCounts } from '../../infra/postgres/state-counts.ts';
import { timeText } from '../../web/documents/quantity-text.ts';
import { findTarget, nameOf, type Target } from './find-target.ts';
import { listenForEnd } from '../terminal/interruption.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { LogReader, type LogEntry } from './log-reader.ts';
import { countsText, isCountAtRest } from './run-counts.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

/** The pause between two looks grows while nothing happens. */
const PAUSE_MS = { shortest: 500, longest: 4_000, factor: 1.5 };

export interface LogOptions {
  readonly isFollowing: boolean;
  readonly format: 'text' | 'json';
  /** Whether all attempts of an experiment are told, and not only those that failed. */
  readonly withAll: boolean;
  /** Nothing older is told; null for no limit. */
  readonly since: Date | null;
  /** Of what has happened up to now only the last so many; null for all. */
  readonly lastCount: number | null;
}

/**
 * Prints what happened to an experiment or a run, oldest first: events, and attempts with the last words of what failed. Who
 * follows hears of more until nothing goes on by itself, and then how it ended; Ctrl-C ends the telling and nothing else.
 */
export async function showLogs(id: string, options: LogOptions): Promise<void> {
  const { isFollowing, format, withAll, since, lastCount } = options;
  const end = listenForEnd();
  try {
    await withDatabase(async (database) => {
      const target = await findTarget(database, id);
      const log = new LogReader(database, target, { withAll });
      const entries = (await log.readNew()).filter(({ at }) => since === null || at >= since);
      const tell = (some: readonly LogEntry[]): void => some.forEach((entry) => print(entryText(entry, format)));
      if (isFollowing) await follow(database, target, { log, tell, first: lastOf(entries, lastCount), format, ...end });
      else tell(lastOf(entries, lastCount));
    });
  } finally {
    end.dispose();
  }
}

function lastOf(entries: readonly LogEntry[], count: number | null): readonly LogEntry[] {
  return count === null ? entries : entries.slice(Math.max(0, entries.length - count));
}

interface Following {
  readonly log: LogReader;
  readonly tell: (entries: readonly LogEntry[]) => void;
  /** What has happened up to now. */
  readonly first: readonly LogEntry[];
  readonly format: 'text' | 'json';
  readonly signal: AbortSignal;
}

async function follow(database: Database, target: Target, following: Following): Promise<void> {
  const { log, tell, first, format, signal } = following;
  const scope = { experimentId: target.experiment.id, runId: target.run?.id };
  tell(first);
  let pauseMs = PAUSE_MS.shortest;
  while (!signal.aborted) {
    // Looked at before reading, so that nothing written up to the end is missed.
    const counts = await countStates(database, scope);
    const entries = await log.readNew();
    tell(entries);
    if (isCountAtRest(counts)) return print(stateLine(target, counts, format));
    pauseMs = entries.length > 0 ? PAUSE_MS.shortest : Math.min(PAUSE_MS.longest, PAUSE_MS.factor * pauseMs);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

function entryText({ at, text, document }: LogEntry, format: LogOptions['format']): string {
  return format === 'json' ? jsonText({ at: at.toISOString(), ...document }) : `${timeText(at)}  ${text}`;
}

/** How it ended, which needs no clock: the last event has the time. */
function stateLine(target: Target, counts: StateCounts, format: LogOptions['format']): string {
  const key = target.run === undefined ? 'experiment' : 'run';
  return format === 'json'
    ? jsonText({ [key]: nameOf(target), state: counts })
    : `${nameOf(target)}  ${countsText(counts)}`;
}

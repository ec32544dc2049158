import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../infra/postgres/database.ts';
import type { ExperimentRecord } from '../infra/postgres/experiment-rows.ts';
import type { RunStatus } from '../infra/postgres/run-rows.ts';
import { plannedSteps, progressFrom, stepsDone, withSample, type ProgressSample } from '../specification/progress.ts';
import { progressBlock, progressLine } from './progress-text.ts';
import { isAtRest } from './run-counts.ts';
import { RunView } from './run-view.ts';
import { note } from './terminal.ts';

const POLL_MS = 400;
/** A large experiment is asked for less often: looking takes at most a tenth of the time. */
const POLL_SHARE = 9;
const LINE_INTERVAL_MS = 15_000;

/** Shows how far an experiment has come; told at every look. */
export interface ProgressDisplay {
  show(experiment: ExperimentRecord, runs: readonly RunStatus[]): void;
  close(): void;
}

/**
 * Waits until every run of an experiment is over, or paused.
 * @param signal ends the waiting early
 * @param until when the waiting is over, if not then
 * @returns the runs as they were at the last look
 */
export async function watchExperiment(
  database: Database,
  experiment: ExperimentRecord,
  {
    display,
    signal,
    until = isAtRest,
  }: { display: ProgressDisplay; signal?: AbortSignal; until?: (runs: readonly RunStatus[]) => boolean },
): Promise<readonly RunStatus[]> {
  const view = new RunView(database, experiment.id);
  for (;;) {
    const askedMs = performance.now();
    const seen = await view.look();
    const runs = until(seen) ? await view.lookAtAll() : seen;
    display.show(experiment, runs);
    if (until(runs) || signal?.aborted === true) return runs;
    const pauseMs = Math.max(POLL_MS, POLL_SHARE * (performance.now() - askedMs));
    await delay(pauseMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}

/** Shows nothing. */
export const SILENT: ProgressDisplay = { show: () => undefined, close: () => undefined };

/** On a terminal a block that is drawn anew, elsewhere a line now and then; both on standard error. */
export async function createProgressDisplay(): Promise<ProgressDisplay> {
  const track = createTracker();
  if (canDraw(process.stderr)) {
    const { createLogUpdate } = await import('log-update');
    const draw = createLogUpdate(process.stderr);
    return {
      show: (experiment, runs) => {
        draw(progressBlock(experiment.id, track(experiment, runs), process.stderr.columns));
      },
      close: () => draw.clear(),
    };
  }
  let toldMs = -Infinity;
  return {
    show(experiment, runs) {
      const progress = track(experiment, runs);
      const nowMs = performance.now();
      if (nowMs - toldMs < LINE_INTERVAL_MS && !isAtRest(runs)) return;
      toldMs = nowMs;
      note(progressLine(experiment.id, progress));
    },
    close: () => undefined,
  };
}

/** A terminal without a size, as some programs give their children, holds no block. */
export function canDraw({ isTTY, columns, rows }: { isTTY?: boolean; columns?: number; rows?: number }): boolean {
  return isTTY === true && (columns ?? 0) > 0 && (rows ?? 0) > 0;
}

function createTracker() {
  let samples: readonly ProgressSample[] = [];
  let watched = '';
  return (experiment: ExperimentRecord, runs: readonly RunStatus[]) => {
    if (watched !== experiment.id) samples = [];
    watched = experiment.id;
    samples = withSample(samples, { atMs: performance.now(), envSteps: stepsDone(runs) });
    return progressFrom(runs, plannedSteps(experiment.resolved), samples);
  };
}

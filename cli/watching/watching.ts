import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { ExperimentViewer, type ExperimentView } from './experiment-view.ts';
import { progressBlock, progressLine } from './progress-text.ts';
import { isAtRest } from '../runs/run-counts.ts';
import { RunView } from './run-view.ts';
import { note } from '../terminal/terminal.ts';

const POLL_MS = 400;
/** A large experiment is asked for less often: looking takes at most a tenth of the time. */
const POLL_SHARE = 9;
const LINE_INTERVAL_MS = 15_000;

/** Shows how far an experiment has come; told at every look. */
export interface ProgressDisplay {
  show(view: ExperimentView): void;
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
  }: {
    display: ProgressDisplay;
    signal?: AbortSignal;
    until?: (runs: readonly RunStatus[]) => boolean;
  },
): Promise<readonly RunStatus[]> {
  const runView = new RunView(database, experiment.id);
  const viewer = new ExperimentViewer(database, experiment);
  for (;;) {
    const askedMs = performance.now();
    const seen = await runView.look();
    const runs = until(seen) ? await runView.lookAtAll() : seen;
    const isOver = until(runs);
    if (display !== SILENT && !isAborted(signal)) {
      const view = await viewer.view(runs, { isLast: isOver });
      // Somebody may have left meanwhile, and the terminal is not ours any more.
      if (!isAborted(signal)) display.show(view);
    }
    if (isOver || isAborted(signal)) return runs;
    const pauseMs = Math.max(POLL_MS, POLL_SHARE * (performance.now() - askedMs));
    await delay(pauseMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** Shows nothing. */
export const SILENT: ProgressDisplay = { show: () => undefined, close: () => undefined };

/** On a terminal a block that is drawn anew, elsewhere a line now and then; both on standard error. */
export async function createProgressDisplay(): Promise<ProgressDisplay> {
  if (!canDraw(process.stderr)) return linesDisplay();
  const { createBlockDrawing } = await import('../terminal/block-drawing.ts');
  const drawing = createBlockDrawing(process.stderr);
  return { show: (view) => drawing.draw((screen) => progressBlock(view, screen)), close: () => drawing.close() };
}

function linesDisplay(): ProgressDisplay {
  let toldMs = -Infinity;
  return {
    show(view) {
      const nowMs = performance.now();
      if (nowMs - toldMs < LINE_INTERVAL_MS && !isAtRest(view.runs)) return;
      toldMs = nowMs;
      note(progressLine(view));
    },
    close: () => undefined,
  };
}

/** A terminal without a size, as some programs give their children, holds no block; nor does a dumb one. */
export function canDraw(
  { isTTY, columns, rows }: { isTTY?: boolean; columns?: number; rows?: number },
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): boolean {
  return isTTY === true && (columns ?? 0) > 0 && (rows ?? 0) > 0 && env['TERM'] !== 'dumb';
}

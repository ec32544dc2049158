import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { findNewestMetrics, type NewestMetrics } from '../../infra/postgres/newest-metrics.ts';
import { listRecentAttempts, type RecentAttempts } from '../../infra/postgres/recent-attempts.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { findScoreExtremes, type ScoreExtremes } from '../../infra/postgres/score-extremes.ts';
import { progressOf, type Progress } from '../../specification/progress.ts';

/** An experiment as somebody sees it who watches it. */
export interface ExperimentView {
  readonly id: string;
  readonly runs: readonly RunStatus[];
  readonly progress: Progress<RunStatus>;
  /** Null before a run has been evaluated after a round. */
  readonly extremes: ScoreExtremes | null;
  /** Of runs in hand that have completed a round, by run. */
  readonly metrics: ReadonlyMap<string, NewestMetrics>;
}

type Remembered = Pick<ExperimentView, 'extremes' | 'metrics'> & { readonly recent: RecentAttempts };

/** What changes slowly is asked for less often than the runs, and at most so much of the time is spent asking. */
const INTERVAL_MS = 2_000;
const ASKING_SHARE = 0.05;

/** Remembers between looks what does not change much. */
export class ExperimentViewer {
  private readonly database: Database;
  private readonly experiment: ExperimentRecord;
  private known: Remembered | null = null;
  private askedMs = -Infinity;
  private nextMs = -Infinity;

  constructor(database: Database, experiment: ExperimentRecord) {
    this.database = database;
    this.experiment = experiment;
  }

  /** @param runs all of the experiment, as they are now @param isLast whether everything is to be new */
  async view(runs: readonly RunStatus[], { isLast }: { isLast: boolean }): Promise<ExperimentView> {
    const { recent, ...remembered } = await this.knownAt(isLast);
    const { id, resolved } = this.experiment;
    const nowMs = recent.nowMs + performance.now() - this.askedMs;
    return { id, runs, ...remembered, progress: progressOf({ resolved, runs, attempts: recent.attempts, nowMs }) };
  }

  private async knownAt(isLast: boolean): Promise<Remembered> {
    const { database, experiment } = this;
    if (this.known !== null && !isLast && performance.now() < this.nextMs) return this.known;
    const beginMs = performance.now();
    const recent = await listRecentAttempts(database, experiment.id);
    this.askedMs = performance.now();
    const extremes = await findScoreExtremes(database, experiment.id);
    this.known = { recent, extremes, metrics: await findNewestMetrics(database, experiment.id) };
    const tookMs = performance.now() - beginMs;
    this.nextMs = performance.now() + Math.max(INTERVAL_MS, tookMs / ASKING_SHARE);
    return this.known;
  }
}

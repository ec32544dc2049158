import type { TrainingStage } from '../learning/rollout/played-round.ts';

/** Tells for which share of a round each of several samplers had nothing to do. No result depends on it. */
export class IdleWatch {
  /** Milliseconds of some clock. */
  private readonly clock: () => number;
  private readonly startedMs: number;
  private waitedMs = 0;
  private waitsSinceMs: number | null = null;

  constructor(clock: () => number) {
    this.clock = clock;
    this.startedMs = clock();
  }

  /** The process itself, which updates the networks and plays the first range, goes over to something else. */
  readonly enter = (stage: TrainingStage): void => {
    if (this.waitsSinceMs !== null) this.waitedMs += this.clock() - this.waitsSinceMs;
    this.waitsSinceMs = stage === 'waiting' ? this.clock() : null;
  };

  /** @param busyMs of each of the others @returns shares in [0, 1], the process itself first */
  shares(busyMs: readonly number[]): number[] {
    const roundMs = this.clock() - this.startedMs;
    return [this.waitedMs / roundMs, ...busyMs.map((busy) => Math.max(0, 1 - busy / roundMs))];
  }
}

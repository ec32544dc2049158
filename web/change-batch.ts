import type { RunChange, Told } from '../infra/postgres/change-feed.ts';
import type { Changes } from './contract/server.ts';

/** Runs that are told one by one; of more, whoever looks asks again for what is shown. */
const CHANGES_MAX = 200;

/** What has changed since it was last told: of each run the newest. It never holds more than can be told. */
export class ChangeBatch {
  private readonly runs = new Map<string, RunChange>();
  private readonly experiments = new Set<string>();
  private isEverything = false;

  add(told: Told): void {
    if (told.kind === 'missed') this.isEverything = true;
    else if (told.kind === 'experiment') this.experiments.add(told.experimentId);
    else if (this.runs.has(told.change.runId) || this.runs.size < CHANGES_MAX) {
      this.runs.set(told.change.runId, told.change);
    } else this.experiments.add(told.change.experimentId);
  }

  get isEmpty(): boolean {
    return !this.isEverything && this.runs.size === 0 && this.experiments.size === 0;
  }

  /** All of it; then it is empty. */
  take(): Changes {
    const taken: Changes = {
      changes: [...this.runs.values()].map(changeDocument),
      experiments: [...this.experiments],
      everything: this.isEverything,
    };
    this.runs.clear();
    this.experiments.clear();
    this.isEverything = false;
    return taken;
  }
}

function changeDocument(change: RunChange): Changes['changes'][number] {
  const { experimentId, runId, state, roundsCompleted, envSteps } = change;
  return { experiment_id: experimentId, run_id: runId, state, rounds_completed: roundsCompleted, env_steps: envSteps };
}

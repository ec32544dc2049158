import { describe, expect, it } from 'vitest';
import { createWorkerMetrics, type MetricsSources } from './worker-metrics.ts';

const attempt = {
  experiment: 'e',
  run: 'e/pool/0',
  variant: 'pool',
  seed: 0,
  kind: 'train_round',
  round: 0,
  attempt: 1,
} as const;
const end = { outcome: 'done', seconds: 2, message: null, peakRssMib: 300, envSteps: 6400 } as const;

const sources: MetricsSources = {
  usage: () => ({ workingCount: 1, restingCount: 2, memoryReservedMib: 3, memoryLimitMib: 4, waitingCount: 5 }),
  slots: () => [{ queue: 'train-cpu', slots: 2, used: 1 }],
  backlogs: async () => [{ queue: 'train-cpu', count: 7 }],
  runStates: async () => ({ RUNNING: 8 }),
};
const MIB = 2 ** 20;

describe('metrics of a worker', () => {
  it('count attempts by kind and outcome, their seconds and their env steps', async () => {
    const { observer, text } = createWorkerMetrics(sources);
    observer.ended(attempt, end);
    observer.ended(attempt, { ...end, outcome: 'lost', seconds: 40, envSteps: 0 });
    const lines = (await text()).split('\n');
    expect(lines).toContain('thaw_attempts_total{kind="train_round",outcome="done"} 1');
    expect(lines).toContain('thaw_attempts_total{kind="train_round",outcome="lost"} 1');
    expect(lines).toContain('thaw_attempt_duration_seconds_sum{kind="train_round"} 42');
    expect(lines).toContain('thaw_attempt_duration_seconds_bucket{le="3",kind="train_round"} 1');
    expect(lines).toContain('thaw_env_steps_total 6400');
  });

  it('tell what is in use, and what the services say', async () => {
    const lines = (await createWorkerMetrics(sources).text()).split('\n');
    expect(lines).toContain('thaw_training_processes{state="working"} 1');
    expect(lines).toContain('thaw_training_processes{state="resting"} 2');
    expect(lines).toContain(`thaw_memory_reserved_bytes ${3 * MIB}`);
    expect(lines).toContain(`thaw_memory_limit_bytes ${4 * MIB}`);
    expect(lines).toContain('thaw_runs_waiting_for_memory 5');
    expect(lines).toContain('thaw_activity_slots{queue="train-cpu",state="limit"} 2');
    expect(lines).toContain('thaw_activity_slots{queue="train-cpu",state="used"} 1');
    expect(lines).toContain('thaw_task_queue_backlog{queue="train-cpu"} 7');
    expect(lines).toContain('thaw_runs{state="RUNNING"} 8');
    expect(lines).toContain('thaw_runs{state="QUEUED"} 0');
  });

  it('leave out what a service does not say, and count that; the others are told', async () => {
    const { text } = createWorkerMetrics({
      ...sources,
      backlogs: () => Promise.reject(new Error('away')),
      runStates: () => Promise.reject(new Error('away')),
    });
    const first = await text();
    expect(first).not.toMatch(/^thaw_(runs|task_queue_backlog)\{/m);
    expect(first).toContain('thaw_memory_limit_bytes 4194304');
    for (const service of ['postgres', 'temporal']) {
      expect(await text()).toMatch(new RegExp(`^thaw_scrape_failures_total\\{service="${service}"\\} [1-9]`, 'm'));
    }
  });

  it('ask a service once for several scrapes', async () => {
    let asked = 0;
    const { text } = createWorkerMetrics({ ...sources, runStates: async () => ({ RUNNING: (asked += 1) }) });
    await Promise.all([text(), text()]);
    expect(await text()).toContain('thaw_runs{state="RUNNING"} 1');
    expect(asked).toBe(1);
  });
});

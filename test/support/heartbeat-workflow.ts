import { proxyActivities } from '@temporalio/workflow';

/** Has one activity done with a heartbeat timeout, as the workflow of a run does; once. */
export async function heartbeatWorkflow(name: string, heartbeatTimeoutMs: number): Promise<void> {
  const activities = proxyActivities<Record<string, () => Promise<void>>>({
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: heartbeatTimeoutMs,
    retry: { maximumAttempts: 1 },
  });
  await activities[name]!();
}

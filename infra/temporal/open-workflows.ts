import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';

const POLL_MS = 100;

/**
 * Waits until no workflow is open. The server's list may be behind, so each workflow of it is asked itself.
 * @returns ids of those that are open after the time given; none as soon as none is
 */
export async function untilWorkflowsEnd(address: string, namespace: string, patienceMs: number): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace });
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const open: string[] = [];
      for await (const { workflowId, runId } of workflow.list({ query: `ExecutionStatus = 'Running'` })) {
        const { status } = await workflow.getHandle(workflowId, runId).describe();
        if (status.name === 'RUNNING') open.push(workflowId);
      }
      if (open.length === 0 || performance.now() > deadline) return open;
      await delay(POLL_MS);
    }
  } finally {
    await connection.close();
  }
}

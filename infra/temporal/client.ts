import { Client, Connection, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { ThawError } from '../../schemas/errors.ts';

/** Where workflow code runs; the other queues are of activities. */
export const ORCHESTRATE_QUEUE = 'orchestrate';

/** What the command line asks of Temporal. */
export interface Orchestrator {
  /** Starts the workflow of an experiment; one that runs already is left alone. */
  startExperiment(experiment: { id: string }): Promise<void>;
  /** Asks for a graceful end; nothing happens when the workflow is closed. @returns whether it was open */
  cancelExperiment(experiment: { id: string }): Promise<boolean>;
  isExperimentOpen(experiment: { id: string }): Promise<boolean>;
  close(): Promise<void>;
}

/** @throws WORLD_TEMPORAL_UNAVAILABLE */
export async function connectOrchestrator(address: string, namespace: string): Promise<Orchestrator> {
  const connection = await Connection.connect({ address, connectTimeout: '10s' }).catch((error: unknown) => {
    throw new ThawError('WORLD_TEMPORAL_UNAVAILABLE', `Temporal at ${address} does not answer: ${String(error)}`, {
      cause: error,
    });
  });
  const client = new Client({ connection, namespace });
  const handle = ({ id }: { id: string }) => client.workflow.getHandle(experimentWorkflowId(id));
  return {
    async startExperiment(experiment) {
      try {
        await client.workflow.start('runExperiment', {
          taskQueue: ORCHESTRATE_QUEUE,
          workflowId: experimentWorkflowId(experiment.id),
          args: [{ experimentId: experiment.id, afterPosition: -1 }],
        });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
    async cancelExperiment(experiment) {
      const open = await isOpen(handle(experiment));
      if (open) await handle(experiment).cancel();
      return open;
    },
    isExperimentOpen: (experiment) => isOpen(handle(experiment)),
    close: () => connection.close(),
  };
}

/**
 * One id for all workflows of an experiment, one after the other: Temporal itself sees to it that never two of them run,
 * whoever starts them.
 */
function experimentWorkflowId(experimentId: string): string {
  return `experiment/${experimentId}`;
}

async function isOpen(handle: { describe(): Promise<{ status: { name: string } }> }): Promise<boolean> {
  try {
    return (await handle.describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

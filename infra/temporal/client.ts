import { Client, Connection, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { ThawError } from '../../schemas/errors.ts';

/** Where workflow code runs; the other queues are of activities. */
export const ORCHESTRATE_QUEUE = 'orchestrate';

/** What the command line asks of Temporal. */
export interface Orchestrator {
  /** Starts the workflow of an experiment's generation; one that runs already is left alone. */
  startExperiment(experiment: { id: string; generation: number }): Promise<void>;
  /** Asks for a graceful end; nothing happens when the workflow is closed. @returns whether it was open */
  cancelExperiment(experiment: { id: string; generation: number }): Promise<boolean>;
  isExperimentOpen(experiment: { id: string; generation: number }): Promise<boolean>;
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
  const handle = (experiment: { id: string; generation: number }) =>
    client.workflow.getHandle(experimentWorkflowId(experiment));
  return {
    async startExperiment(experiment) {
      try {
        await client.workflow.start('runExperiment', {
          taskQueue: ORCHESTRATE_QUEUE,
          workflowId: experimentWorkflowId(experiment),
          args: [{ experimentId: experiment.id, generation: experiment.generation, afterPosition: -1 }],
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

/** A generation's workflow id: a closed workflow is never reused, and Temporal forgets closed ones after a while. */
export function experimentWorkflowId({ id, generation }: { id: string; generation: number }): string {
  return `experiment/${id}/${generation}`;
}

async function isOpen(handle: { describe(): Promise<{ status: { name: string } }> }): Promise<boolean> {
  try {
    return (await handle.describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

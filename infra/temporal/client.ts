import { Client, Connection, WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { ThawError } from '../../schemas/errors.ts';

/** Where workflow code runs; the other queues are of activities. */
export const ORCHESTRATE_QUEUE = 'orchestrate';

/** What the command line asks of Temporal. An experiment or run without an open workflow is left alone. */
export interface Orchestrator {
  /**
   * Sees to it that the workflow of an experiment takes care of all its open runs: it is started, or told to look again
   * where it is open. Nothing falls between the two.
   */
  startExperiment(experiment: { id: string }): Promise<void>;
  /** Asks for a graceful end. @returns whether there was a workflow to ask */
  cancelExperiment(experiment: { id: string }): Promise<boolean>;
  /** Asks one run for a graceful end; the others go on. @returns whether there was a workflow to ask */
  cancelRun(run: { id: string }): Promise<boolean>;
  /** Closes the workflow at once, and with it those of its runs. What works for them hears of it with its next heartbeat. */
  terminateExperiment(experiment: { id: string }): Promise<void>;
  terminateRun(run: { id: string }): Promise<void>;
  isExperimentOpen(experiment: { id: string }): Promise<boolean>;
  /** How many tasks wait for a worker in each of these task queues, about. */
  backlogs(queues: readonly string[]): Promise<readonly QueueBacklog[]>;
  close(): Promise<void>;
}

export interface QueueBacklog {
  readonly queue: string;
  readonly count: number;
}

/** TASK_QUEUE_TYPE_ACTIVITY of the server's interface. */
const ACTIVITY_TASKS = 2;
/** Written into the history of a workflow that was closed at once. */
const KILLED = 'killed by request';

/** @throws WORLD_TEMPORAL_UNAVAILABLE */
export async function connectOrchestrator(address: string, namespace: string): Promise<Orchestrator> {
  const connection = await Connection.connect({ address, connectTimeout: '10s' }).catch((error: unknown) => {
    throw new ThawError('WORLD_TEMPORAL_UNAVAILABLE', `Temporal at ${address} does not answer: ${String(error)}`, {
      cause: error,
    });
  });
  const client = new Client({ connection, namespace });
  const experimentOf = ({ id }: { id: string }) => client.workflow.getHandle(experimentWorkflowId(id));
  const runOf = ({ id }: { id: string }) => client.workflow.getHandle(`run/${id}`);
  return {
    async startExperiment({ id }) {
      await client.workflow.signalWithStart('runExperiment', {
        taskQueue: ORCHESTRATE_QUEUE,
        workflowId: experimentWorkflowId(id),
        args: [{ experimentId: id, afterPosition: -1 }],
        signal: 'lookAgain',
      });
    },
    cancelExperiment: (experiment) => whereOpen(experimentOf(experiment), (handle) => handle.cancel()),
    cancelRun: (run) => whereOpen(runOf(run), (handle) => handle.cancel()),
    async terminateExperiment(experiment) {
      await whereOpen(experimentOf(experiment), (handle) => handle.terminate(KILLED));
    },
    async terminateRun(run) {
      await whereOpen(runOf(run), (handle) => handle.terminate(KILLED));
    },
    isExperimentOpen: (experiment) => whereOpen(experimentOf(experiment), () => undefined),
    backlogs: (queues) =>
      Promise.all(
        queues.map(async (name) => {
          const request = { namespace, taskQueue: { name }, taskQueueType: ACTIVITY_TASKS, reportStats: true };
          const { stats } = await connection.workflowService.describeTaskQueue(request);
          return { queue: name, count: Number(stats?.approximateBacklogCount ?? 0) };
        }),
      ),
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

/** Does something to a workflow if it is open. @returns whether it was */
async function whereOpen(handle: WorkflowHandle, act: (handle: WorkflowHandle) => unknown): Promise<boolean> {
  try {
    if ((await handle.describe()).status.name !== 'RUNNING') return false;
    await act(handle);
    return true;
  } catch (error) {
    // It was never started, has just closed, or is forgotten since.
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

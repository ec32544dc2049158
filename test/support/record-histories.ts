import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { ServiceSession } from '../../cli/service-session.ts';
import { supervisorStatus } from '../../infra/services/supervisor-client.ts';

/**
 * Histories of every workflow of a home: its name as a file name, and the history as JSON without stack traces, which
 * name folders of the machine and are not replayed.
 */
export async function recordHistories({ configuration }: ServiceSession): Promise<[name: string, history: unknown][]> {
  const status = await supervisorStatus(configuration);
  const port = status?.services.find((service) => service.name === 'temporal')?.port;
  const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  const client = new Client({ connection, namespace: configuration.temporalNamespace });
  const recorded: [string, unknown][] = [];
  for await (const { workflowId, type } of client.workflow.list()) {
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    const plain: unknown = JSON.parse(historyToJSON(history), (key, value: unknown) =>
      key === 'stackTrace' ? '' : value,
    );
    recorded.push([`${type}-${workflowId.replaceAll('/', '.')}`, plain]);
  }
  await connection.close();
  return recorded;
}

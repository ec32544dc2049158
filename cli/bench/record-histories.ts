import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { ServiceSession } from '../services/service-session.ts';
import { supervisorStatus } from '../../infra/services/supervisor-client.ts';

/** Writes the histories of every workflow of a home into a folder, a file each, for `test/replay` to replay from then on. */
export async function recordHistories(session: ServiceSession, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, history] of await listHistories(session)) {
    await writeFile(path.join(folder, `${name}.json`), JSON.stringify(history, null, 1));
  }
}

/** By a name fit for a file, as JSON without stack traces, which name folders of the machine and are not replayed. */
async function listHistories({ configuration }: ServiceSession): Promise<[name: string, history: unknown][]> {
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

import path from 'node:path';
import { createChangeFeed } from '../../infra/postgres/change-feed.ts';
import { createDatabase } from '../../infra/postgres/database.ts';
import { buildFolder } from '../../infra/installation.ts';
import { createLog } from '../../infra/log.ts';
import { ProgressMemory } from '../../web/documents/progress-memory.ts';
import type { Control } from '../../web/orders.ts';
import { startPageServer } from '../../web/server.ts';

/** The page's server on a free port. */
export interface RunningPage {
  /** Without a slash at its end. */
  readonly url: string;
  /** What `path` below /api/v1 answers, as JSON holds it. @throws when it is not 200 */
  get(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the server, with the page as it was last built, over a database that a test has filled. */
export async function startPage(
  databaseUrl: string,
  { control = null, token = null }: { control?: Control | null; token?: string | null } = {},
): Promise<RunningPage> {
  const database = createDatabase(databaseUrl, { patienceMs: 0 });
  const feed = createChangeFeed(databaseUrl);
  const server = await startPageServer({
    host: '127.0.0.1',
    port: 0,
    pageFolder: path.join(buildFolder(), 'page'),
    context: { database, progress: new ProgressMemory(), server: { version: '0', allows_control: control !== null } },
    feed,
    access: { hostNames: [], token },
    control,
    log: createLog({ level: 'silent', name: 'page' }),
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    async get(route) {
      const answer = await fetch(`${url}/api/v1${route}`);
      const body: unknown = await answer.json();
      if (!answer.ok) throw new Error(`GET ${route}: ${answer.status} ${JSON.stringify(body)}`);
      return body;
    },
    async close() {
      await server.close();
      await feed.close();
      await database.close();
    },
  };
}

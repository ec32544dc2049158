import { request, type IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { createChangeFeed } from '../../infra/postgres/change-feed.ts';
import { createDatabase } from '../../infra/postgres/database.ts';
import { buildFolder } from '../../infra/installation.ts';
import { createLog } from '../../infra/log.ts';
import type { Changes } from '../../web/contract/server.ts';
import type { Control } from '../../web/orders.ts';
import { startPageServer } from '../../web/server.ts';

/** An answer as it came, its body as text. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The page's server on a free port. */
export interface RunningPage {
  /** Without a slash at its end. */
  readonly url: string;
  /** Asks for a path, with whatever headers: also such as a browser would not send. */
  ask(path: string, question?: Question): Promise<Answer>;
  /** What `path` below /api/v1 answers, as JSON holds it. @throws when it is not 200 */
  get(path: string): Promise<unknown>;
  /** Listens to changes; resolves once the server listens for us. */
  listen(query?: string, headers?: Readonly<Record<string, string>>): Promise<Listening>;
  close(): Promise<void>;
}

/** The events of one client. */
export interface Listening {
  /** The next event, of those that fulfil the condition; others are passed over. */
  next(isWanted?: (changes: Changes) => boolean): Promise<Changes>;
  close(): void;
}

/** Starts the server, with the page as it was last built, over a database that a test has filled. */
export async function startPage(
  databaseUrl: string,
  { control = null, token = null }: { control?: Control | null; token?: string | null } = {},
): Promise<RunningPage> {
  const database = createDatabase(databaseUrl, { patienceMs: 0 });
  let tellListening: () => void = () => undefined;
  const isListening = new Promise<void>((resolve) => (tellListening = resolve));
  const feed = createChangeFeed(databaseUrl, { onState: (state) => state === 'listening' && tellListening() });
  const server = await startPageServer({
    host: '127.0.0.1',
    port: 0,
    pageFolder: path.join(buildFolder(), 'page'),
    context: {
      database,
      server: { version: '0', allows_control: control !== null },
    },
    feed,
    access: { hostNames: [], token },
    control,
    log: createLog({ level: 'silent', name: 'page' }),
  });
  await isListening;
  const url = `http://127.0.0.1:${server.port}`;
  const ask: RunningPage['ask'] = (asked, question) => answerOf(server.port, asked, question);
  return {
    url,
    ask,
    async get(route) {
      const { status, body } = await ask(`/api/v1${route}`);
      if (status !== 200) throw new Error(`GET ${route}: ${status} ${body}`);
      return JSON.parse(body) as unknown;
    },
    listen: (query = '', headers = {}) => listenTo(`${url}/api/v1/changes${query}`, headers),
    async close() {
      await server.close();
      await feed.close();
      await database.close();
    },
  };
}

function answerOf(port: number, asked: string, { method = 'GET', headers = {} }: Question = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: asked, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function listenTo(url: string, headers: Readonly<Record<string, string>>): Promise<Listening> {
  const stop = new AbortController();
  const answer = await fetch(url, { signal: stop.signal, headers });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const block = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const first = text.slice(0, end);
        text = text.slice(end + 2);
        return first;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('the events ended');
      text += value;
    }
  };
  // The first block is written once the client is subscribed.
  await block();
  return {
    async next(isWanted = () => true) {
      for (;;) {
        const data = /^data: (.*)$/m.exec(await block())?.[1];
        const changes = data === undefined ? null : (JSON.parse(data) as Changes);
        if (changes !== null && isWanted(changes)) return changes;
      }
    },
    close: () => stop.abort(),
  };
}

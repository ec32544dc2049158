import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** What a run was told by the client. */
export interface UploadedRun {
  /** Variables of the query that made it: name, groupName, displayName, config, … */
  readonly about: Record<string, unknown>;
  /** Lines of its history, as text: they may hold NaN. */
  readonly history: string[];
  summary: string;
  exitCode: number | null;
}

/**
 * Stands in for the service of Weights & Biases, as far as `wandb sync` 0.31.0 speaks to it: it takes what it is told, and says yes.
 * The interface is not documented; this is what the client was seen to ask.
 */
export class WandbStandIn {
  readonly runs = new Map<string, UploadedRun>();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this.url;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(request);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString('utf8');
    response.writeHead(200, { 'content-type': 'application/json' });
    const stream = /^\/files\/[^/]+\/[^/]+\/([^/]+)\/file_stream$/.exec(request.url!);
    if (stream !== null) this.stream(stream[1]!, JSON.parse(text) as Streamed);
    response.end(JSON.stringify(request.url === '/graphql' ? { data: this.answer(JSON.parse(text) as Query) } : {}));
  }

  private answer({ query, variables }: Query): unknown {
    if (query.includes('upsertBucket')) {
      const { name, project } = variables as { name: string; project: string };
      const known = this.runs.get(name);
      if (known === undefined) {
        this.runs.set(name, { about: variables, history: [], summary: '{}', exitCode: null });
      }
      const bucket = { id: 'b', name, config: '{}', historyLineCount: 0 };
      return {
        upsertBucket: {
          bucket: { ...bucket, project: { id: 'p', name: project, entity: { id: 'e', name: 'me' } } },
          inserted: known === undefined,
        },
      };
    }
    if (query.includes('createRunFiles')) {
      const { files } = variables as { files: string[] };
      const uploads = files.map((name) => ({ name, uploadUrl: `${this.url}/upload/${name}` }));
      return { createRunFiles: { runID: 'b', uploadHeaders: [], files: uploads } };
    }
    return { viewer: { id: 'v', entity: 'me', username: 'me', flags: '{}', teams: { edges: [] } }, serverInfo: {} };
  }

  private stream(id: string, { files, exitcode }: Streamed): void {
    const run = this.runs.get(id)!;
    const history = files?.['wandb-history.jsonl'];
    if (history !== undefined) run.history.splice(history.offset, Infinity, ...history.content);
    run.summary = files?.['wandb-summary.json']?.content.at(-1) ?? run.summary;
    run.exitCode = exitcode ?? run.exitCode;
  }
}

interface Query {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

interface Streamed {
  readonly files?: Record<string, { readonly offset: number; readonly content: string[] }>;
  readonly exitcode?: number;
}

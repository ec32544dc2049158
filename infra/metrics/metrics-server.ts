import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Logger } from '../log.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface MetricsServer {
  close(): Promise<void>;
}

/**
 * Serves metrics at `/metrics`. A port that is taken is told and costs nothing else: a worker without metrics is better than
 * none.
 * @param text asked at every scrape
 * @returns null where the port could not be had
 */
export async function startMetricsServer(
  { host, port, log }: { readonly host: string; readonly port: number; readonly log: Logger },
  text: () => Promise<string>,
): Promise<MetricsServer | null> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (request.method !== 'GET' || path !== '/metrics') return answer(response, 404, 'Metrics are at GET /metrics.\n');
    text().then(
      (metrics) => answer(response, 200, metrics),
      (error: unknown) => {
        log.warn({ err: error }, 'metrics could not be told');
        answer(response, 500, 'Metrics could not be told; the log of the worker says why.\n');
      },
    );
  });
  try {
    await listening(server, host, port);
  } catch (error) {
    log.error({ err: error, host, port }, 'no metrics: the port cannot be had');
    return null;
  }
  log.info({ host, port }, 'metrics are at /metrics');
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': CONTENT_TYPE }).end(text);
}

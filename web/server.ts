import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createApplication, type ApplicationOptions } from './application.ts';

export interface ServerOptions extends ApplicationOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
}

/** A server that listens. */
export interface PageServer {
  readonly port: number;
  /** Ends it, with whatever is being answered. */
  close(): Promise<void>;
}

/** Starts the page's server. @throws the error of the system when the port is taken */
export async function startPageServer({ host, port, ...options }: ServerOptions): Promise<PageServer> {
  const server = createAdaptorServer({
    fetch: createApplication(options).fetch,
    overrideGlobalObjects: false,
  }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

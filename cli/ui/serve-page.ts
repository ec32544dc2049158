import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { readConfiguration } from '../../infra/configuration.ts';
import { buildFolder } from '../../infra/installation.ts';
import { createLog } from '../../infra/log.ts';
import { createChangeFeed } from '../../infra/postgres/change-feed.ts';
import { createDatabase } from '../../infra/postgres/database.ts';
import { ThawError } from '../../schemas/errors.ts';
import { startPageServer, type PageServer, type ServerOptions } from '../../web/server.ts';
import { openBrowser, openerOf, type Opener } from './open-browser.ts';
import { createControl } from './page-control.ts';
import { programVersion } from '../program-version.ts';
import { withDatabaseUrl } from '../services/service-session.ts';
import { note, print } from '../terminal/terminal.ts';

/** THAW on the keys of a telephone. */
export const DEFAULT_PORT = 8429;
/** The page says soon that the database is away, and asks again by itself. */
const PATIENCE_MS = 2_000;
const CONNECTIONS_MAX = 6;
const TOKEN_BYTES = 24;

export interface PageRequest {
  readonly host: string;
  /** Undefined for the usual one, or a free one when that is taken. */
  readonly port: number | undefined;
  readonly allowsControl: boolean;
  /** Whether a browser is opened. */
  readonly opens: boolean;
}

/** Serves the page until it is told to stop. */
export async function servePage(request: PageRequest): Promise<void> {
  const configuration = readConfiguration(process.env);
  const token =
    configuration.uiToken ?? (isLoopback(request.host) ? null : randomBytes(TOKEN_BYTES).toString('base64url'));
  const wish = untilStopped();
  await withDatabaseUrl(async (url, stopped) => {
    const database = createDatabase(url, { patienceMs: PATIENCE_MS, connectionsMax: CONNECTIONS_MAX });
    const feed = createChangeFeed(url, { onState: tellDatabase() });
    let server: PageServer | undefined;
    let opener: Opener | undefined;
    try {
      server = await listen(request, {
        context: {
          database,
          server: { version: programVersion(), allows_control: request.allowsControl },
        },
        feed,
        access: { hostNames: [request.host, hostname()], token },
        control: request.allowsControl ? createControl() : null,
        pageFolder: path.join(buildFolder(), 'page'),
        log: createLog({ level: configuration.logLevel, name: 'ui' }),
      });
      const link = linkTo(request.host, server.port, token);
      tellAddress(request, link);
      if (request.opens) {
        opener = openerOf(link, { isSecret: token !== null });
        openBrowser(opener.place);
      }
      await Promise.race([wish, stopped]);
    } finally {
      opener?.remove();
      await server?.close();
      await feed.close();
      await database.close();
    }
  });
}

/** @throws REQUEST_BAD_ARGUMENT when the port or the host that was asked for cannot be had */
async function listen({ host, port }: PageRequest, options: Omit<ServerOptions, 'host' | 'port'>): Promise<PageServer> {
  try {
    return await startPageServer({ ...options, host, port: port ?? DEFAULT_PORT });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' || port !== undefined) {
      throw new ThawError(
        'REQUEST_BAD_ARGUMENT',
        `Nothing can listen on ${host}, port ${port ?? DEFAULT_PORT}: ${message}.`,
        {
          remedy: 'Choose another --port, or a --host that is an address of this machine.',
          cause: error,
        },
      );
    }
    note(`Port ${DEFAULT_PORT} is taken, so a free one is used; \`thaw ui --port\` chooses one.`);
    return startPageServer({ ...options, host, port: 0 });
  }
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Whoever listens on all addresses is reached by the name of the machine. */
function linkTo(host: string, port: number, token: string | null): string {
  const name = host === '0.0.0.0' || host === '::' ? hostname() : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}/${token === null ? '' : `?token=${token}`}`;
}

function tellAddress({ host, allowsControl }: PageRequest, link: string): void {
  print(link);
  if (!isLoopback(host))
    note('Whoever has this link gets in, from wherever this machine can be reached; it is not encrypted.');
  note(`The page ${allowsControl ? 'takes orders' : 'only shows'}. Ctrl-C ends it; runs go on.`);
}

/** Says when the database goes, and when it is back; nothing at the beginning. */
function tellDatabase(): (state: 'listening' | 'away', error?: unknown) => void {
  let isAway = false;
  return (state, error) => {
    if (state === 'away' && !isAway) {
      note(`The database does not answer (${String(error)}); the page goes on when it does.`);
    }
    if (state === 'listening' && isAway) note('The database answers again.');
    isAway = state === 'away';
  };
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}

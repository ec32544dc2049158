import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Socket } from 'node:net';
import { z } from 'zod';
import { ERROR_CATALOGUE } from '../../schemas/error-catalogue.ts';
import type { ErrorCode } from '../../schemas/error-catalogue.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { Configuration } from '../configuration.ts';
import { makeHome } from './private-folder.ts';

/**
 * What commands and their supervisor say to each other: one JSON object a line. A connection carries one request. `lease` keeps
 * its connection open, and the open connection is the lease; `end-if-idle` may follow on it, which gives the lease back and is
 * answered when the services have ended or are known to be needed; every other request is answered and closed.
 */
const requestSchema = z.strictObject({
  secret: z.string(),
  verb: z.enum(['lease', 'keep', 'release-keep', 'status', 'down', 'end-if-idle']),
});

/** Characters of a request: a secret and a verb. Every user of the machine may send one. */
const REQUEST_LENGTH_MAX = 1_000;
/** Characters of a reply: it may hold the end of a log. */
const REPLY_LENGTH_MAX = 1_000_000;

/** Replies may hold more than we know: the supervisor may be of a newer build. */
const servicesSchema = z.object({ databaseUrl: z.string(), temporalAddress: z.string() });

const serviceStatusSchema = z.object({
  name: z.string(),
  description: z.string(),
  pid: z.int().nullable(),
  port: z.int().nullable(),
  restarts: z.int(),
});

const statusSchema = z.object({
  pid: z.int(),
  phase: z.enum(['starting', 'serving', 'stopping']),
  startedAt: z.iso.datetime(),
  /** Of the program that the supervisor runs; a newer program replaces an idle supervisor. */
  build: z.string(),
  /** Hash of what it serves: external database, external Temporal server, artifacts. */
  target: z.string(),
  leases: z.int(),
  isKept: z.boolean(),
  services: z.array(serviceStatusSchema),
});

const replySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), message: z.string() }),
  z.object({ kind: z.literal('ready'), services: servicesSchema }),
  z.object({
    kind: z.literal('failed'),
    error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }),
  }),
  z.object({ kind: z.literal('status'), status: statusSchema }),
  z.object({ kind: z.literal('done') }),
  /** The services go on, because something else needs them. */
  z.object({ kind: z.literal('needed') }),
  /** The secret is wrong, or the supervisor is about to end: try again. */
  z.object({ kind: z.literal('refused') }),
]);

export type SupervisorRequest = z.infer<typeof requestSchema>;
export type SupervisorReply = z.infer<typeof replySchema>;
export type SupervisorStatus = z.infer<typeof statusSchema>;
export type ServiceAddresses = z.infer<typeof servicesSchema>;

/**
 * Where the home's supervisor listens. On Linux an abstract socket: to listen on it is to own the home, one process at most can,
 * and it leaves no file when it is killed. Elsewhere a socket file. The folder's device and inode are part of the name, since
 * containers may share a network and yet mean different folders by one path.
 */
export function supervisorSocket(home: string): string {
  makeHome(home);
  const { dev, ino } = statSync(home);
  const hash = createHash('sha256')
    .update(`${realpathSync(home)}:${dev}:${ino}`)
    .digest('hex')
    .slice(0, 24);
  return process.platform === 'linux' ? `\0thaw/${hash}` : path.join(tmpdir(), `thaw-${hash}.sock`);
}

/** Equal for configurations that one supervisor can serve. */
export function targetFromConfiguration(configuration: Configuration): string {
  const { databaseUrl, temporalAddress, temporalNamespace, artifacts } = configuration;
  const served = JSON.stringify([databaseUrl, temporalAddress, temporalNamespace, artifacts]);
  return createHash('sha256').update(served).digest('hex').slice(0, 16);
}

export function send(socket: Socket, message: SupervisorRequest | SupervisorReply): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Requests as they arrive; a line that is no request ends the connection. */
export function onRequest(socket: Socket, handle: (request: SupervisorRequest) => void): void {
  readLines(socket, REQUEST_LENGTH_MAX, (line) => {
    const request = requestSchema.safeParse(parseJson(line));
    if (request.success) handle(request.data);
    else socket.destroy();
  });
}

/** Replies as they arrive; a line that is no reply comes from another version and ends the connection. */
export function onReply(socket: Socket, handle: (reply: SupervisorReply) => void): void {
  readLines(socket, REPLY_LENGTH_MAX, (line) => {
    const reply = replySchema.safeParse(parseJson(line));
    if (reply.success) handle(reply.data);
    else socket.destroy();
  });
}

export function replyFromError(error: unknown): SupervisorReply {
  const { code, message, remedy } =
    error instanceof ThawError
      ? error
      : new ThawError('DEFECT_INVARIANT', error instanceof Error ? error.message : String(error));
  return { kind: 'failed', error: { code, message, remedy } };
}

export function errorFromReply(reply: SupervisorReply & { kind: 'failed' }): ThawError {
  const { code, message, remedy } = reply.error;
  const isKnown = code in ERROR_CATALOGUE;
  return new ThawError(isKnown ? (code as ErrorCode) : 'WORLD_SUPERVISOR_UNAVAILABLE', message, { remedy });
}

/** Hands on each line; one that is longer than allowed ends the connection. Whoever made it has its `close` to go by. */
function readLines(socket: Socket, lengthMax: number, handle: (line: string) => void): void {
  let begun = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop()!;
    if ([begun, ...lines].some((line) => line.length > lengthMax)) return void socket.destroy();
    for (const line of lines) handle(line);
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

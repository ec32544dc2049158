import { timingSafeEqual } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { processIdentity } from '../process-group.ts';
import { onRequest, replyFromError, send, supervisorSocket } from './supervisor-protocol.ts';
import type { ServiceAddresses, SupervisorReply, SupervisorRequest, SupervisorStatus } from './supervisor-protocol.ts';
import { SupervisorRecordFile } from './supervisor-record.ts';
import { listenAlone } from './supervisor-socket.ts';

/** Our own entry among the recorded processes, for a `down` that must kill us because we do not answer. */
const OURSELVES = 'supervisor';

/** How long a connection may be open before its request. */
const SILENCE_MS = 10_000;

export interface DoorHandlers {
  readonly status: () => SupervisorStatus;
  /** A `down` arrived. */
  readonly onStop: () => void;
  /** Somebody waits for the services to end, if nothing else needs them. */
  readonly onHurry: () => void;
}

/** The supervisor's side of the socket: counts the leases, tells them the news, and answers the other requests. */
export class SupervisorDoor {
  readonly record: SupervisorRecordFile;
  readonly #handlers: DoorHandlers;
  readonly #connections = new Set<Socket>();
  readonly #leases = new Set<Socket>();
  readonly #downs = new Set<Socket>();
  readonly #hurried = new Set<Socket>();
  #server: Server | null = null;
  /** What a new lease is told at once. */
  #news: SupervisorReply = { kind: 'progress', message: 'Starting the services' };
  #hasBeenHeard = false;
  #leasesGranted = 0;
  #isStopping = false;

  private constructor(handlers: DoorHandlers, home: string) {
    this.#handlers = handlers;
    this.record = new SupervisorRecordFile(home);
  }

  /** @returns null when another supervisor owns the home; then nothing in the home was touched */
  static async open(home: string, handlers: DoorHandlers): Promise<SupervisorDoor | null> {
    const waiting: Socket[] = [];
    let accept = (socket: Socket): void => void waiting.push(socket);
    const server = await listenAlone(supervisorSocket(home), (socket) => accept(socket));
    if (server === null) return null;
    const door = new SupervisorDoor(handlers, home);
    door.#server = server;
    const identity = processIdentity(process.pid)!;
    door.record.setProcess(OURSELVES, { pid: process.pid, identity, port: null, fingerprint: '' });
    accept = (socket) => door.#accept(socket);
    waiting.forEach(accept);
    return door;
  }

  get leaseCount(): number {
    return this.#leases.size;
  }

  /** How many leases there have been: tells whether somebody came and went meanwhile. */
  get leasesGranted(): number {
    return this.#leasesGranted;
  }

  /** Who waits for the services to end, if nothing else needs them. */
  get hurried(): readonly Socket[] {
    return [...this.#hurried];
  }

  /** Tells some of those that the services go on. */
  tellNeeded(hurried: readonly Socket[]): void {
    for (const socket of hurried) {
      this.#hurried.delete(socket);
      finish(socket, { kind: 'needed' });
    }
  }

  announceProgress(message: string): void {
    const progress: SupervisorReply = { kind: 'progress', message };
    if (this.#news.kind === 'progress') this.#news = progress;
    this.#tell(progress);
  }

  announceReady(services: ServiceAddresses): void {
    this.#news = { kind: 'ready', services };
    this.#tell(this.#news);
  }

  /** Tells every lease, and waits a while for one to come if none has heard it. */
  async announceFailure(error: unknown, lingerMs: number): Promise<void> {
    this.#news = replyFromError(error);
    this.#tell(this.#news);
    const deadline = performance.now() + lingerMs;
    while (!this.#hasBeenHeard && performance.now() < deadline) await delay(20);
  }

  /** From now on a new lease is refused: its command tries again until the next supervisor can start. */
  refuseLeases(): void {
    this.#isStopping = true;
  }

  /** Answers those who wait for the end, and gives up the home. */
  async close(): Promise<void> {
    for (const socket of [...this.#downs, ...this.#hurried]) send(socket, { kind: 'done' });
    // While we still own the home: the next supervisor may begin its record as soon as the socket is free.
    this.record.removeProcess(OURSELVES);
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#connections.forEach((socket) => socket.destroySoon());
    await closed;
  }

  #accept(socket: Socket): void {
    this.#connections.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      for (const set of [this.#connections, this.#leases, this.#downs, this.#hurried]) set.delete(socket);
    });
    // Every user of the machine may connect; only who asks for something may stay.
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    onRequest(socket, (request) => {
      socket.setTimeout(0);
      this.#answer(socket, request);
    });
  }

  #answer(socket: Socket, { secret, verb }: SupervisorRequest): void {
    if (!isEqual(secret, this.record.current.secret)) return finish(socket, { kind: 'refused' });
    if (verb === 'status') return finish(socket, { kind: 'status', status: this.#handlers.status() });
    if (verb === 'down') return this.#takeDown(socket);
    if (verb === 'end-if-idle') return this.#hurry(socket);
    if (this.#isStopping) return finish(socket, { kind: 'refused' });
    if (verb === 'lease') return this.#grantLease(socket);
    this.record.update({ isKept: verb === 'keep' });
    finish(socket, { kind: 'done' });
  }

  #grantLease(socket: Socket): void {
    this.#leases.add(socket);
    this.#leasesGranted += 1;
    this.#hasBeenHeard ||= this.#news.kind === 'failed';
    send(socket, this.#news);
  }

  #hurry(socket: Socket): void {
    this.#leases.delete(socket);
    this.#hurried.add(socket);
    this.#handlers.onHurry();
  }

  #takeDown(socket: Socket): void {
    this.#downs.add(socket);
    this.#isStopping = true;
    this.record.update({ isKept: false });
    this.#handlers.onStop();
  }

  #tell(news: SupervisorReply): void {
    this.#hasBeenHeard ||= news.kind === 'failed' && this.#leases.size > 0;
    this.#leases.forEach((socket) => send(socket, news));
  }
}

function finish(socket: Socket, reply: SupervisorReply): void {
  send(socket, reply);
  socket.end();
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

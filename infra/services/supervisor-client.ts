import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ThawError } from '../../schemas/errors.ts';
import { environmentFromConfiguration } from '../configuration.ts';
import type { Configuration } from '../configuration.ts';
import { logSize, readLogTail, serviceLogFile } from './log-file.ts';
import { isSameProcessAlive, terminateGroup } from '../process-group.ts';
import { endLeftOvers } from './left-overs.ts';
import { openLog } from './private-folder.ts';
import { errorFromReply, onReply, send, supervisorSocket, targetFromConfiguration } from './supervisor-protocol.ts';
import type { ServiceAddresses, SupervisorReply, SupervisorRequest, SupervisorStatus } from './supervisor-protocol.ts';
import { isLeftOver } from './service-process.ts';
import { SupervisorRecordFile, readSupervisorRecord } from './supervisor-record.ts';
import { connectTo, listenAlone } from './supervisor-socket.ts';

const POLL_MS = 40;
/** How long a supervisor may take to listen, or an old one to end; a busy machine takes seconds to start Node. */
const REACH_TIMEOUT_MS = 30_000;
const SPAWNS_MAX = 3;
const ANSWER_TIMEOUT_MS = 10_000;
/** A supervisor that has ended its services has nothing left to do. */
const EXIT_TIMEOUT_MS = 5_000;
/** `down` is answered when all has ended: the worker's grace, then that of the services. */
const DOWN_TIMEOUT_MS = 60_000;

export interface EnsureOptions {
  /** Command line that ends up in `runSupervisor`; it is started detached, with the configuration in its environment. */
  readonly supervisor: { readonly command: string; readonly args: readonly string[] };
  /** The build of the program that asks; an idle supervisor of another build is replaced. */
  readonly build: string;
  readonly onProgress: (message: string) => void;
}

/** The services, and the lease that keeps them. */
export interface Services extends ServiceAddresses {
  /** Resolves if the services are lost: given up, stopped by somebody, or their supervisor was killed. Ask again then. */
  readonly lost: Promise<ThawError>;
  /** Gives the lease back. A command that is killed does so too. */
  readonly release: () => void;
  /**
   * Gives the lease back, and ends the services at once if nothing else needs them: no lease, no `up`, no open run. Returns
   * when no process of them is left, or when something else is known to need them.
   */
  readonly endIfIdle: () => Promise<void>;
}

/**
 * Makes sure that the home's services run, and holds a lease on them. Starts the supervisor when there is none, which adopts or
 * cleans up what a killed one left.
 *
 * @throws the supervisor's own error when it cannot start the services
 * @throws REQUEST_CONFLICT when the home's supervisor serves another database or Temporal server
 * @throws WORLD_SUPERVISOR_UNAVAILABLE with the end of its log when it does not start or does not answer
 */
export async function ensureServices(configuration: Configuration, options: EnsureOptions): Promise<Services> {
  const starter = new SupervisorStarter(configuration, options);
  let isKept = false;
  for (;;) {
    const status = await supervisorStatus(configuration);
    if (status === null) {
      await starter.step();
      continue;
    }
    isKept ||= status.isKept;
    if (starter.hasStarted || (await isUsable(status, configuration, options))) {
      const services = await lease(configuration, options.onProgress);
      if (services !== null) {
        if (isKept) await keepServices(configuration, true);
        return services;
      }
    }
    await starter.wait();
  }
}

/** What the home's supervisor says of itself; null when none answers. */
export async function supervisorStatus(configuration: Configuration): Promise<SupervisorStatus | null> {
  const reply = await ask(configuration.home, 'status');
  return reply?.kind === 'status' ? reply.status : null;
}

/**
 * Keeps the running services without a lease (`up`), or lets them end when nothing else needs them.
 *
 * @returns false when no supervisor runs
 */
export async function keepServices(configuration: Configuration, isKept: boolean): Promise<boolean> {
  return (await ask(configuration.home, isKept ? 'keep' : 'release-keep'))?.kind === 'done';
}

/**
 * Ends the home's supervisor and services at once, whoever uses them, and what a killed supervisor left; a supervisor that does
 * not answer is killed. Returns when none of their processes is left.
 *
 * @returns whether anything ran
 * @throws WORLD_SUPERVISOR_UNAVAILABLE when the supervisor neither ends nor answers
 */
export async function stopServices(configuration: Configuration): Promise<boolean> {
  const { home } = configuration;
  const before = readSupervisorRecord(home);
  if (before === null) return false;
  const deadline = performance.now() + 2 * DOWN_TIMEOUT_MS;
  for (let hasRun = false; performance.now() < deadline; await delay(POLL_MS)) {
    const server = await listenAlone(supervisorSocket(home), (socket) => void socket.destroy());
    if (server === null) {
      if ((await ask(home, 'down', DOWN_TIMEOUT_MS))?.kind === 'done') hasRun = true;
      else if (performance.now() > deadline - DOWN_TIMEOUT_MS) await killSupervisor(home);
      continue;
    }
    try {
      const record = new SupervisorRecordFile(home);
      hasRun ||= Object.keys(record.current.processes).length > 0;
      record.update({ isKept: false });
      await endLeftOvers(record);
      await untilGone(before.processes.supervisor, deadline);
      return hasRun;
    } finally {
      server.close();
    }
  }
  throw unavailable('The supervisor does not end.', home);
}

/** A supervisor that has closed its door and emptied its record still takes a moment to end. */
async function untilGone(supervisor: { pid: number; identity: string } | undefined, deadline: number): Promise<void> {
  while (supervisor !== undefined && isLeftOver(supervisor) && performance.now() < deadline) await delay(POLL_MS);
}

async function killSupervisor(home: string): Promise<void> {
  const supervisor = readSupervisorRecord(home)?.processes.supervisor;
  if (supervisor !== undefined && isLeftOver(supervisor)) await terminateGroup(supervisor.pid, { graceMs: 0 });
}

/** Whether to take a lease on this supervisor; one that is idle and of another build is told to end, and then it is not. */
async function isUsable(
  status: SupervisorStatus,
  configuration: Configuration,
  options: EnsureOptions,
): Promise<boolean> {
  if (status.phase === 'stopping') return false;
  if (status.target !== targetFromConfiguration(configuration)) throw servesAnother(configuration.home);
  if (status.build === options.build) return true;
  if (status.leases > 0) {
    options.onProgress('The services run an older build, and another command uses them; going on with it');
    return true;
  }
  options.onProgress('The services run an older build; starting them again');
  await ask(configuration.home, 'down', DOWN_TIMEOUT_MS);
  return false;
}

/** Holds a connection open; null when the supervisor went away before it had the services. */
async function lease(configuration: Configuration, onProgress: (message: string) => void): Promise<Services | null> {
  const socket = await connectTo(supervisorSocket(configuration.home));
  if (socket === null) return null;
  let tellLost: (error: ThawError) => void = () => undefined;
  const lost = new Promise<ThawError>((resolve) => (tellLost = resolve));
  return new Promise((resolve, reject) => {
    onReply(socket, (reply) => {
      if (reply.kind === 'progress') onProgress(reply.message);
      if (['refused', 'done', 'needed'].includes(reply.kind)) socket.destroy();
      if (reply.kind === 'ready') {
        socket.unref();
        resolve({
          ...reply.services,
          lost,
          release: () => socket.destroySoon(),
          endIfIdle: () => endIfIdle(socket, configuration.home),
        });
      }
      if (reply.kind === 'failed') {
        const error = errorFromReply(reply);
        reject(error);
        tellLost(error);
        socket.destroy();
      }
    });
    socket.once('close', () => {
      resolve(null);
      tellLost(unavailable('The supervisor has ended.', configuration.home));
    });
    sendRequest(socket, configuration.home, 'lease');
  });
}

/** Only the supervisor knows who else needs the services, so it is asked to look, and never told to end. */
async function endIfIdle(socket: Socket, home: string): Promise<void> {
  if (socket.destroyed) return;
  const supervisor = readSupervisorRecord(home)?.processes.supervisor;
  let hasEnded = false;
  const timer = setTimeout(() => socket.destroy(), DOWN_TIMEOUT_MS);
  await new Promise<void>((resolve) => {
    onReply(socket, ({ kind }) => (hasEnded ||= kind === 'done'));
    socket.once('close', () => resolve());
    socket.ref();
    sendRequest(socket, home, 'end-if-idle');
  });
  clearTimeout(timer);
  const deadline = performance.now() + EXIT_TIMEOUT_MS;
  while (hasEnded && supervisor !== undefined && isSameProcessAlive(supervisor.pid, supervisor.identity)) {
    if (performance.now() > deadline) return;
    await delay(POLL_MS);
  }
}

/** Sends one request and reads its answer; null when nobody listens, or it is refused or left unanswered. */
async function ask(
  home: string,
  verb: SupervisorRequest['verb'],
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<SupervisorReply | null> {
  if (readSupervisorRecord(home) === null) return null;
  const socket = await connectTo(supervisorSocket(home));
  if (socket === null) return null;
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  return new Promise((resolve) => {
    onReply(socket, (reply) => {
      resolve(reply.kind === 'refused' ? null : reply);
      socket.destroy();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(null);
    });
    sendRequest(socket, home, verb);
  });
}

function sendRequest(socket: Socket, home: string, verb: SupervisorRequest['verb']): void {
  send(socket, { secret: readSupervisorRecord(home)?.secret ?? '', verb });
}

/** Starts a supervisor, a bounded number of times, and waits for one to answer, a bounded time. */
class SupervisorStarter {
  readonly #configuration: Configuration;
  readonly #options: EnsureOptions;
  readonly #logFile: string;
  readonly #logOffset: number;
  readonly #deadline = performance.now() + REACH_TIMEOUT_MS;
  #spawnCount = 0;
  #isOnItsWay = false;

  constructor(configuration: Configuration, options: EnsureOptions) {
    this.#configuration = configuration;
    this.#options = options;
    this.#logFile = serviceLogFile(configuration.home, 'supervisor');
    this.#logOffset = logSize(this.#logFile);
  }

  /** Then the supervisor that answers is as new as can be. */
  get hasStarted(): boolean {
    return this.#spawnCount > 0;
  }

  /** Starts a supervisor unless one of ours is on its way, and waits a little. */
  async step(): Promise<void> {
    if (!this.#isOnItsWay) {
      if (this.#spawnCount === SPAWNS_MAX) throw this.#unavailable(`It ended ${SPAWNS_MAX} times.`);
      this.#spawnCount += 1;
      this.#spawn();
    }
    await this.wait();
  }

  async wait(): Promise<void> {
    if (performance.now() > this.#deadline)
      throw this.#unavailable(`It did not answer in ${REACH_TIMEOUT_MS / 1000} s.`);
    await delay(POLL_MS);
  }

  #spawn(): void {
    const { command, args } = this.#options.supervisor;
    const log = openLog(this.#logFile);
    const env = { ...process.env, ...environmentFromConfiguration(this.#configuration) };
    const { home } = this.#configuration;
    const child = spawn(command, args, { cwd: home, env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#isOnItsWay = true;
    child.on('exit', () => (this.#isOnItsWay = false));
    child.on('error', (error) => {
      this.#isOnItsWay = false;
      this.#options.onProgress(error.message);
    });
    child.unref();
  }

  #unavailable(what: string): ThawError {
    return unavailable(`The supervisor did not start. ${what}`, this.#configuration.home, this.#logOffset);
  }
}

function unavailable(what: string, home: string, logOffset?: number): ThawError {
  const logFile = serviceLogFile(home, 'supervisor');
  const tail = readLogTail(logFile, logOffset) || '(empty)';
  return new ThawError('WORLD_SUPERVISOR_UNAVAILABLE', `${what} End of ${logFile}:\n${tail}`);
}

function servesAnother(home: string): ThawError {
  return new ThawError(
    'REQUEST_CONFLICT',
    `The services of ${home} were started with another THAW_DATABASE_URL, THAW_TEMPORAL_ADDRESS, THAW_TEMPORAL_NAMESPACE or THAW_ARTIFACTS.`,
    { remedy: 'Set the variables as before, or use another THAW_HOME, or `thaw down` to stop what runs there.' },
  );
}

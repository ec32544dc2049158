import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { isThawError, ThawError } from '../../schemas/errors.ts';
import type { Logger } from '../log.ts';
import { isSameProcessAlive } from '../process-group.ts';
import { restartDelayMs } from './restart-policy.ts';
import type { RestartPolicy } from './restart-policy.ts';
import { adoptProcess, isLeftOver, startService, stopProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Service } from './service.ts';
import type { SupervisorRecordFile } from './supervisor-record.ts';

const HOST = '127.0.0.1';
const PORT_ATTEMPTS_MAX = 3;

export interface KeeperOptions {
  readonly record: SupervisorRecordFile;
  readonly policy: RestartPolicy;
  readonly log: Logger;
  readonly logFile: string;
  /** Told when the service ended and is started again. */
  readonly onRestart: (message: string) => void;
  /** Told when it died too often; it is not started any more. */
  readonly onGivenUp: (error: ThawError) => void;
}

/**
 * Keeps one service running: adopts it from a supervisor that was killed or starts it, and starts it again on the same port
 * whenever it ends, until told to stop or until it has died too often.
 */
export class Keeper {
  readonly #create: (port: number) => Service;
  readonly #options: KeeperOptions;
  readonly #stopping = new AbortController();
  readonly #deathTimesMs: number[] = [];
  #service: Service;
  #running: ServiceProcess | null = null;
  #watch: Promise<void> = Promise.resolve();

  private constructor(create: (port: number) => Service, options: KeeperOptions) {
    this.#create = create;
    this.#options = options;
    const { ports } = options.record.current;
    this.#service = create(ports[create(0).name] ?? 0);
  }

  /**
   * @param create makes the service for a port; one that serves nobody ignores it
   * @param signal ends the start early
   * @throws the service's error when it does not start on any of several ports
   */
  static async start(create: (port: number) => Service, options: KeeperOptions, signal: AbortSignal): Promise<Keeper> {
    const keeper = new Keeper(create, options);
    signal.addEventListener('abort', () => keeper.#stopping.abort());
    if (!(await keeper.#adopt())) await keeper.#startOnSomePort();
    return keeper;
  }

  get service(): Service {
    return this.#service;
  }

  /** For `status`. */
  get state() {
    const { name, port, description } = this.#service;
    return { name, port, description, pid: this.#running?.pid ?? null, restarts: this.#deathTimesMs.length };
  }

  /** Ends the service with its whole group, and the keeping of it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#running !== null) await stopProcess(this.#running, this.#service.stopRule);
    await this.#watch;
    this.#options.record.removeProcess(this.#service.name);
  }

  /** Takes over the recorded process if it runs the same program and serves; ends what else is left of it. */
  async #adopt(): Promise<boolean> {
    const { record, log } = this.#options;
    const { name, stopRule } = this.#service;
    const left = record.current.processes[name];
    if (left === undefined || !isLeftOver(left)) return false;
    const isSame = isSameProcessAlive(left.pid, left.identity) && left.fingerprint === fingerprintOf(this.#service);
    const serves =
      isSame &&
      (await this.#service.probe().then(
        () => true,
        () => false,
      ));
    if (!serves) {
      log.warn({ service: name, pid: left.pid }, 'ending what an earlier supervisor left');
      await stopProcess(left, stopRule);
      return false;
    }
    log.info({ service: name, pid: left.pid }, 'adopted from an earlier supervisor');
    this.#begin(adoptProcess(left.pid, left.identity));
    return true;
  }

  /** The port last used if it is free, else any; another one when the service ends at once, as it does when the port was taken. */
  async #startOnSomePort(): Promise<void> {
    const { record, log } = this.#options;
    const preferred = record.current.ports[this.#service.name];
    for (let attempt = 1; ; attempt++) {
      const isFirst = attempt === 1 && preferred !== undefined;
      this.#service = this.#create(await getPort({ host: HOST, ...(isFirst && { port: preferred }) }));
      try {
        return this.#begin(await this.#startOnce());
      } catch (error) {
        const mayBeThePort = isThawError(error) && error.details.isEnded === true && this.#service.port !== null;
        if (!mayBeThePort || attempt >= PORT_ATTEMPTS_MAX || this.#stopping.signal.aborted) throw error;
        log.warn({ service: this.#service.name, port: this.#service.port }, 'did not start; trying another port');
      }
    }
  }

  async #startOnce(): Promise<ServiceProcess> {
    const { record, logFile } = this.#options;
    const { name, port } = this.#service;
    const fingerprint = fingerprintOf(this.#service);
    return startService(this.#service, {
      logFile,
      signal: this.#stopping.signal,
      onStarted: ({ pid, identity }) => record.setProcess(name, { pid, identity, port, fingerprint }),
    });
  }

  #begin(running: ServiceProcess): void {
    this.#running = running;
    this.#watch = this.#keep(running);
  }

  async #keep(first: ServiceProcess): Promise<void> {
    const { log, onGivenUp } = this.#options;
    for (let running: ServiceProcess | null = first; running !== null;) {
      const ending = await running.ended;
      this.#running = null;
      if (this.#stopping.signal.aborted) return;
      log.warn({ service: this.#service.name, pid: running.pid }, ending);
      try {
        await stopProcess(running, this.#service.stopRule);
        running = await this.#startAgain(`${this.#service.name} ${ending}`);
      } catch (error) {
        if (!this.#stopping.signal.aborted) onGivenUp(error as ThawError);
        return;
      }
      this.#running = running;
    }
  }

  /** Tries until it serves; null when told to stop meanwhile. */
  async #startAgain(firstReason: string): Promise<ServiceProcess | null> {
    const { policy, onRestart } = this.#options;
    const { signal } = this.#stopping;
    for (let reason = firstReason; !signal.aborted;) {
      // Not the clock of the day, which may be set.
      const nowMs = performance.now();
      this.#deathTimesMs.push(nowMs);
      const delayMs = restartDelayMs(this.#deathTimesMs, nowMs, policy);
      if (delayMs === null) throw this.#givenUp(reason);
      onRestart(`${reason}; starting it again`);
      await delay(delayMs, undefined, { signal }).catch(() => undefined);
      try {
        return signal.aborted ? null : await this.#startOnce();
      } catch (error) {
        reason = (error as Error).message;
      }
    }
    return null;
  }

  #givenUp(reason: string): ThawError {
    const { name, errorCode } = this.#service;
    const { restartsMax, windowMs } = this.#options.policy;
    const often = `${name} died more than ${restartsMax} times in ${windowMs / 1000} s and is not started again.`;
    return new ThawError(errorCode, `${often} The last time: ${reason}`, {
      remedy: `See ${this.#options.logFile}; the next command tries again.`,
    });
  }
}

/** Equal for processes that are interchangeable; the environment counts as far as it is ours. */
function fingerprintOf(service: Service): string {
  const { command, args, env, cwd, account } = service.program;
  const ours = Object.entries(env).filter(([name]) => name.startsWith('THAW_'));
  return createHash('sha256')
    .update(JSON.stringify([command, args, ours, cwd, account, service.revision]))
    .digest('hex');
}

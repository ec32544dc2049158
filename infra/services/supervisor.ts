import { setTimeout as delay } from 'node:timers/promises';
import type { ThawError } from '../../schemas/errors.ts';
import type { Configuration } from '../configuration.ts';
import type { Logger } from '../log.ts';
import { createWorkerService, preparePostgres, prepareTemporal } from './embedded-services.ts';
import { checkPostgres, checkTemporal } from './external-services.ts';
import { Keeper } from './keeper.ts';
import { endLeftOvers } from './left-overs.ts';
import { LOG_BYTES_MAX, limitLog, serviceLogFile } from './log-file.ts';
import { RESTART_POLICY } from './restart-policy.ts';
import type { RestartPolicy } from './restart-policy.ts';
import type { Service } from './service.ts';
import { SupervisorDoor } from './supervisor-door.ts';
import { targetFromConfiguration } from './supervisor-protocol.ts';
import type { ServiceAddresses, SupervisorStatus } from './supervisor-protocol.ts';
import type { SupervisorRecordFile } from './supervisor-record.ts';

/** How long a supervisor that failed to start waits for the command that started it to come and hear why. */
const FAILURE_LINGER_MS = 5_000;

export interface SupervisorOptions {
  readonly configuration: Configuration;
  /** Identifies the program's code, so that a newer one can replace an idle supervisor. */
  readonly build: string;
  readonly log: Logger;
  /** Command line of the worker; its environment names the services. */
  readonly worker: { readonly command: string; readonly args: readonly string[] };
  /** Brings the database's tables up to date; runs before the worker starts. */
  readonly migrate: (databaseUrl: string) => Promise<void>;
  /** Whether a run is in a state that is not final. */
  readonly hasActiveRuns: (databaseUrl: string) => Promise<boolean>;
  /** How long nothing must have needed the services before they end, and how often that is looked at. */
  readonly idle: { readonly graceMs: number; readonly pollMs: number };
  readonly restartPolicy?: RestartPolicy;
}

/**
 * Keeps a home's services running while something needs them, and resolves when nothing does any more (or at once when another
 * supervisor owns the home).
 *
 * The states: *starting* (adopt or end what a killed supervisor left; Postgres and Temporal side by side; migrations; worker) →
 * *serving* (start again what dies) → *stopping* (worker first, then the services; nothing is left running). It stops when told to
 * (`down`, SIGTERM), when no lease, no `up` and no active run remain, when the home is deleted, and when a service
 * cannot be kept running, after telling every lease why.
 */
export async function runSupervisor(options: SupervisorOptions): Promise<void> {
  const { configuration, log } = options;
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const door = await SupervisorDoor.open(configuration.home, {
    status: () => supervisor.status(),
    onStop: stop,
    onHurry: () => supervisor.hurry(),
  });
  if (door === null) return log.info('another supervisor serves this home');
  const supervisor = new Supervisor(options, door, stopping);
  process.on('SIGTERM', stop).on('SIGINT', stop);
  try {
    await supervisor.run();
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
  }
}

class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #door: SupervisorDoor;
  readonly #record: SupervisorRecordFile;
  readonly #stopping: AbortController;
  readonly #startedAt = new Date().toISOString();
  readonly #keepers: Keeper[] = [];
  #phase: SupervisorStatus['phase'] = 'starting';
  #failure: unknown = null;
  #wake: () => void = () => undefined;

  constructor(options: SupervisorOptions, door: SupervisorDoor, stopping: AbortController) {
    this.#options = options;
    this.#door = door;
    this.#record = door.record;
    this.#stopping = stopping;
  }

  status(): SupervisorStatus {
    return {
      pid: process.pid,
      phase: this.#phase,
      startedAt: this.#startedAt,
      build: this.#options.build,
      target: targetFromConfiguration(this.#options.configuration),
      leases: this.#door.leaseCount,
      isKept: this.#record.current.isKept,
      services: this.#keepers.map((keeper) => keeper.state),
    };
  }

  async run(): Promise<void> {
    try {
      const addresses = await this.#start();
      this.#phase = 'serving';
      this.#door.announceReady(addresses);
      await this.#serve(addresses);
    } catch (error) {
      this.#fail(error);
    }
    if (this.#failure !== null) await this.#reportFailure(this.#failure);
    await this.#shutDown();
  }

  async #start(): Promise<ServiceAddresses> {
    const { configuration, migrate, worker, build } = this.#options;
    const { databaseUrl: externalDatabase, temporalAddress: externalTemporal, temporalNamespace } = configuration;
    await this.#endUnwanted();
    const [databaseUrl, temporalAddress] = await this.#allOrNone([
      () => (externalDatabase === null ? this.#keepPostgres() : checkPostgres(externalDatabase)),
      () => (externalTemporal === null ? this.#keepTemporal() : checkTemporal(externalTemporal, temporalNamespace)),
    ]);
    const addresses = { databaseUrl: databaseUrl!, temporalAddress: temporalAddress! };
    this.#progress('Bringing the database up to date');
    await migrate(addresses.databaseUrl);
    this.#progress('Starting the worker');
    await this.#keep(() => createWorkerService({ ...worker, build }, configuration, addresses));
    return addresses;
  }

  async #keepPostgres(): Promise<string> {
    const create = await preparePostgres(this.#options.configuration, (message) => this.#progress(message));
    this.#progress('Starting Postgres');
    return create((await this.#keep(create)).port!).url;
  }

  async #keepTemporal(): Promise<string> {
    const create = await prepareTemporal(this.#options.configuration, (message) => this.#progress(message));
    this.#progress('Starting Temporal');
    return `127.0.0.1:${(await this.#keep(create)).port}`;
  }

  /** Runs both at once. When one fails the other is told to stop and waited for, so that nothing starts behind our back. */
  async #allOrNone(starts: (() => Promise<string>)[]): Promise<string[]> {
    const outcomes = starts.map(async (start) => {
      try {
        return await start();
      } catch (error) {
        this.#fail(error);
        throw error;
      }
    });
    await Promise.allSettled(outcomes);
    return Promise.all(outcomes);
  }

  async #keep(create: (port: number) => Service): Promise<Service> {
    this.#stopping.signal.throwIfAborted();
    const { configuration, log, restartPolicy } = this.#options;
    const options = {
      record: this.#record,
      policy: restartPolicy ?? RESTART_POLICY,
      log,
      logFile: serviceLogFile(configuration.home, create(0).name),
      onRestart: (message: string) => this.#progress(message),
      onGivenUp: (error: ThawError) => this.#fail(error),
    };
    const keeper = await Keeper.start(create, options, this.#stopping.signal);
    this.#keepers.push(keeper);
    return keeper.service;
  }

  /** Ends recorded processes of services that are external now. */
  async #endUnwanted(): Promise<void> {
    const { databaseUrl, temporalAddress } = this.#options.configuration;
    const unwanted = [...(databaseUrl === null ? [] : ['postgres']), ...(temporalAddress === null ? [] : ['temporal'])];
    await endLeftOvers(this.#record, unwanted);
  }

  /** Ends the pause between two looks at whether the services are needed. */
  hurry(): void {
    this.#wake();
  }

  /** Resolves when the services are not needed any more: for a while, or at once where somebody waits for the end. */
  async #serve({ databaseUrl }: ServiceAddresses): Promise<void> {
    const { idle } = this.#options;
    // Not the clock of the day: when that is set, services may neither end early nor stay.
    let neededAtMs = performance.now();
    while (this.#record.exists) {
      if (this.#door.hurried.length === 0) await this.#pause();
      this.#limitLogs();
      const { hurried } = this.#door;
      if (!this.#isFree()) neededAtMs = performance.now();
      if (hurried.length === 0 && performance.now() - neededAtMs < idle.graceMs) continue;
      if (await this.#isIdle(databaseUrl)) return;
      this.#door.tellNeeded(hurried);
    }
  }

  async #pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    await Promise.race([delay(this.#options.idle.pollMs, undefined, { signal: this.#stopping.signal }), woken]);
  }

  /** Whether nobody holds the services. */
  #isFree(): boolean {
    return this.#door.leaseCount === 0 && !this.#record.current.isKept;
  }

  /** Whether nobody holds them, nobody came and went while we asked, and no run is open. */
  async #isIdle(databaseUrl: string): Promise<boolean> {
    if (!this.#isFree()) return false;
    const { leasesGranted } = this.#door;
    const isBusy = await this.#options.hasActiveRuns(databaseUrl).catch((error: unknown) => {
      this.#options.log.warn({ error }, 'cannot ask for active runs; going on');
      return true;
    });
    return !isBusy && this.#isFree() && this.#door.leasesGranted === leasesGranted;
  }

  #limitLogs(): void {
    const { home } = this.#options.configuration;
    for (const name of ['supervisor', ...this.#keepers.map((keeper) => keeper.service.name)]) {
      limitLog(serviceLogFile(home, name), LOG_BYTES_MAX);
    }
  }

  #progress(message: string): void {
    this.#options.log.info(message);
    this.#door.announceProgress(message);
  }

  /** The first failure ends everything. What fails after a stop was asked for is a consequence of the stop. */
  #fail(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#failure = error;
    this.#stopping.abort();
  }

  async #reportFailure(failure: unknown): Promise<void> {
    this.#options.log.error({ err: failure }, 'the services cannot be kept running');
    await this.#door.announceFailure(failure, FAILURE_LINGER_MS);
  }

  async #shutDown(): Promise<void> {
    this.#phase = 'stopping';
    this.#door.refuseLeases();
    this.#progress('Stopping the services');
    const workers = this.#keepers.filter((keeper) => keeper.service.name === 'worker');
    const others = this.#keepers.filter((keeper) => keeper.service.name !== 'worker');
    await Promise.all(workers.map((keeper) => keeper.stop()));
    await Promise.all(others.map((keeper) => keeper.stop()));
    await this.#door.close();
    this.#options.log.info('stopped');
  }
}

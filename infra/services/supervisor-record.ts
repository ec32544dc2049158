import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeHome } from './private-folder.ts';

const processSchema = z.strictObject({
  pid: z.int(),
  /** See ProcessIdentity: makes sure that the id still means this process. */
  identity: z.string(),
  port: z.int().nullable(),
  /** Of the program that runs; a process of another program is ended and not adopted. */
  fingerprint: z.string(),
});

const recordSchema = z.strictObject({
  /** Requests carry it: the socket itself is open to every user of the machine. */
  secret: z.string(),
  /** Whether `up` asked to go on without a lease. */
  isKept: z.boolean(),
  /** The ports last used, tried first: so an address seen once stays true when it can. */
  ports: z.record(z.string(), z.int()),
  processes: z.record(z.string(), processSchema),
});

export type ProcessRecord = z.infer<typeof processSchema>;
export type SupervisorRecord = z.infer<typeof recordSchema>;

/**
 * `supervisor.json` in the home (mode 0600): what the next supervisor must know if this one is killed. Only the process that owns
 * the supervisor's socket writes it. It is written in one piece and without waiting, so that no process is ever started unrecorded.
 */
export class SupervisorRecordFile {
  readonly #file: string;
  #record: SupervisorRecord;

  /** Reads what a supervisor before us left, or begins a new record. */
  constructor(home: string) {
    makeHome(home);
    this.#file = recordFile(home);
    this.#record = readSupervisorRecord(home) ?? {
      secret: randomBytes(24).toString('base64url'),
      isKept: false,
      ports: {},
      processes: {},
    };
    this.#write();
  }

  get current(): SupervisorRecord {
    return this.#record;
  }

  /** False after somebody deleted the home; then there is nothing left to supervise. */
  get exists(): boolean {
    return existsSync(this.#file);
  }

  /** Changes nothing on disk once the home is deleted. */
  update(change: Partial<SupervisorRecord>): void {
    this.#record = { ...this.#record, ...change };
    if (this.exists) this.#write();
  }

  setProcess(name: string, running: ProcessRecord): void {
    const ports = running.port === null ? this.#record.ports : { ...this.#record.ports, [name]: running.port };
    this.update({ ports, processes: { ...this.#record.processes, [name]: running } });
  }

  removeProcess(name: string): void {
    const processes = Object.fromEntries(Object.entries(this.#record.processes).filter(([other]) => other !== name));
    this.update({ processes });
  }

  #write(): void {
    const temporary = `${this.#file}.${randomUUID().slice(0, 8)}`;
    writeFileSync(temporary, JSON.stringify(this.#record, null, 2), { mode: 0o600 });
    renameSync(temporary, this.#file);
  }
}

/** The record as it lies in the home; null when there is none, or it is not readable as one. */
export function readSupervisorRecord(home: string): SupervisorRecord | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(recordFile(home), 'utf8')));
  } catch {
    return null;
  }
}

function recordFile(home: string): string {
  return path.join(home, 'supervisor.json');
}

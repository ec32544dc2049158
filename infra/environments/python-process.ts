import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, readSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import type { EnvironmentRefusal } from '../../simulators/bridged/bridge.ts';
import { openBlockingPipes } from './blocking-pipe.ts';
import { LastWords } from './last-words.ts';
import { errorOfEnd } from './process-end.ts';
import { pythonProgram } from './python-program.ts';

/** Operations of python/thaw_environments/protocol.py. */
export const OPERATION = { step: 1, reset: 2, open: 3, close: 4, describe: 5, replay: 6 } as const;
export const HEADER_BYTES = 16;

/** Of what it prints, how often the length is looked at, in messages. */
const LIMIT_EVERY = 4096;

const refusalSchema = z.object({ key: z.string(), found: z.string(), expected: z.string(), remedy: z.string() });
const errorSchema = z.union([
  z.object({ refusal: refusalSchema }),
  z.object({
    message: z.string(),
    place: z.string(),
    remedy: z.string().optional(),
    traceback: z.string(),
  }),
]);

/**
 * A Python process that holds environments. It is asked and answers while this thread waits: a world is stepped, reset
 * and looked at by calls that return when it is done. It belongs to the process group of whoever started it, and ends
 * when its pipes close.
 */
export class PythonProcess {
  private readonly child: ChildProcess;
  private readonly requests: number;
  private readonly replies: number;
  private readonly words = new LastWords();
  private readonly header = new Uint8Array(HEADER_BYTES);
  private messages = 0;
  /** Why it answers no more. */
  private failure: ThawError | null = null;

  /**
   * @param patienceS how long one environment may take for its start, a step or a reset
   * @throws REQUEST_ENVIRONMENT_UNUSABLE when there is no such interpreter
   */
  constructor(python: string, patienceS: number) {
    const [requests, replies] = openBlockingPipes(2);
    const { descriptor } = this.words;
    this.child = spawn(python, ['-u', pythonProgram()], {
      // Without the second, sets and names are in another order in every process.
      env: { ...process.env, THAW_ENVIRONMENT_PATIENCE_S: String(patienceS), PYTHONHASHSEED: '0' },
      stdio: ['ignore', descriptor, descriptor, requests!.readEnd, replies!.writeEnd],
    });
    // Without a process there is no id; the event that tells why comes later than it is needed.
    this.child.on('error', () => undefined);
    this.child.unref();
    closeSync(requests!.readEnd);
    closeSync(replies!.writeEnd);
    this.requests = requests!.writeEnd;
    this.replies = replies!.readEnd;
    if (this.child.pid === undefined) {
      this.end(noInterpreter(python));
      throw this.failure!;
    }
  }

  get isAlive(): boolean {
    return this.failure === null;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Asks something in JSON. @returns the answer, parsed @throws what it refuses, or how it failed */
  ask(operation: number, batch: number, body: unknown): unknown {
    const text = Buffer.from(JSON.stringify(body));
    const request = new Uint8Array(HEADER_BYTES + text.length);
    new Uint32Array(request.buffer, 0, 4).set([operation, batch, text.length, 0]);
    request.set(text, HEADER_BYTES);
    const answer = this.exchange(request, null);
    return answer.length === 0 ? null : JSON.parse(new TextDecoder().decode(answer));
  }

  /**
   * Sends a request as it is, and fills `reply`, the header included, with the answer.
   * @param reply null to make room for an answer of any length
   * @returns the body of the answer
   */
  exchange(request: Uint8Array, reply: Uint8Array | null): Uint8Array {
    if (this.failure !== null) throw this.failure;
    this.messages += 1;
    if (this.messages % LIMIT_EVERY === 0) this.words.limit();
    this.write(request);
    this.read(this.header);
    const [status, length] = new Uint32Array(this.header.buffer, 0, 2) as unknown as [number, number];
    if (status !== 0) throw this.errorOf(this.readBody(length));
    if (reply === null) return this.readBody(length);
    if (length !== reply.length - HEADER_BYTES) {
      this.kill();
      throw new ThawError('DEFECT_SHAPE_MISMATCH', `${length} bytes answered, ${reply.length - HEADER_BYTES} expected`);
    }
    const body = reply.subarray(HEADER_BYTES);
    this.read(body);
    return body;
  }

  /** Ends it at once. */
  kill(): void {
    if (this.failure !== null) return;
    this.child.kill('SIGKILL');
    this.end(new ThawError('WORLD_ENVIRONMENT_LOST', 'the Python process was ended by us'));
  }

  private readBody(length: number): Uint8Array {
    const body = new Uint8Array(length);
    this.read(body);
    return body;
  }

  private write(bytes: Uint8Array): void {
    let sent = 0;
    try {
      while (sent < bytes.length) sent += writeSync(this.requests, bytes, sent, bytes.length - sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
      throw this.died();
    }
  }

  private read(bytes: Uint8Array): void {
    let received = 0;
    while (received < bytes.length) {
      const count = readSync(this.replies, bytes, received, bytes.length - received, null);
      if (count === 0) throw this.died();
      received += count;
    }
  }

  private errorOf(body: Uint8Array): ThawError {
    const told = errorSchema.parse(JSON.parse(new TextDecoder().decode(body)));
    if ('refusal' in told) return refused(told.refusal);
    const { traceback, ...failure } = told;
    const message = `${failure.message}; in Python:\n${traceback.trim()}`;
    return new ThawError('WORLD_ENVIRONMENT_FAILED', message, { details: { failure } });
  }

  private died(): ThawError {
    this.end(errorOfEnd(this.child, this.words.read()));
    return this.failure!;
  }

  private end(failure: ThawError): void {
    this.failure = failure;
    for (const descriptor of [this.requests, this.replies]) closeSync(descriptor);
    this.words.close();
  }
}

/** @param refusal where, what, and what to do */
export function refused(refusal: EnvironmentRefusal): ThawError {
  return new ThawError('REQUEST_ENVIRONMENT_UNUSABLE', `${refusal.found}; expected ${refusal.expected}`, {
    details: { ...refusal },
    remedy: refusal.remedy,
  });
}

function noInterpreter(python: string): ThawError {
  return refused({
    key: 'environment',
    found: `no Python: ${python} cannot be started`,
    expected: 'a Python from 3.10 on with the packages of the environment',
    remedy: 'Install it (`apt-get install -y python3 python3-venv` on Debian), or name another by THAW_PYTHON.',
  });
}

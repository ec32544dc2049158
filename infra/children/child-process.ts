import { fork, type ChildProcess } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FailureClass } from '../../schemas/records.ts';
import { terminateGroup } from '../process-group.ts';
import type { ChildGroup, ChildGroups } from './child-groups.ts';
import { classOfError, classOfExit, describeExit, describeLackOfMemory, type ChildExit } from './exit-class.ts';
import { outOfMemoryKillCount } from './own-control-group.ts';
import { forgetPeak, processMemory, residentMib } from './process-memory.ts';
import type { ProgramEnd } from './program-failure.ts';
import type { ChildAnswer, ChildError, ChildMessage } from './protocol.ts';

const LOG_TAIL_CHARACTERS = 8_000;
const WATCH_INTERVAL_MS = 500;
const KILL_GRACE_MS = 500;
/** Room for V8's heap inside the limit of resident memory: ONNX Runtime and typed arrays live outside of the heap. */
const HEAP_SHARE = 0.5;

export interface ChildOptions {
  /** Path of the program that calls `serveRequests`. */
  readonly entry: string;
  readonly memoryMib: number;
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the kernel keeps its limit; null for our own watch alone. */
  readonly groups: ChildGroups | null;
}

export interface RequestOptions {
  readonly kind: string;
  readonly payload: unknown;
  readonly stallMs: number;
  /** What of the request would need less memory, as the end of "…, or": told where it ends for lack of it. */
  readonly lessMemory: string;
  readonly signal: AbortSignal;
  readonly onProgress: (value: number) => void;
}

/** How a request ended. An end is an outcome and not an exception; only a cancelled request throws. */
export type RequestOutcome =
  | { readonly kind: 'done'; readonly result: unknown; readonly processId: number; readonly peakRssMib: number | null }
  | RequestFailure;

export interface RequestFailure {
  readonly kind: 'failed';
  readonly failureClass: FailureClass;
  readonly message: string;
  readonly processId: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly logTail: string;
  readonly peakRssMib: number | null;
}

/** A supervised process of our own that computes, in a process group of its own so that nothing it starts outlives it. */
export class SupervisedChild {
  private readonly child: ChildProcess;
  private readonly options: ChildOptions;
  private readonly group: ChildGroup | null;
  private readonly kernelKillsBefore = outOfMemoryKillCount();
  private nextId = 1;
  private logTail = '';
  private peakRssMib: number | null = null;
  /** Of the last request. */
  private lessMemory = '';
  private killedFor: ChildExit['killedFor'] = null;
  private kernelKilledFor: ChildExit['kernelKilledFor'] = null;
  /** Resolves when it has ended and its last words have been read. */
  private readonly closed: Promise<void>;
  private hasClosed = false;
  /**
   * Ends the waiting of the request in hand: with its answer, or with null when the process has ended without one. A race
   * of every request against `closed` would keep each answer and its context for as long as the process lives.
   */
  private settle: ((answer: ChildAnswer | null) => void) | null = null;

  constructor(options: ChildOptions) {
    this.options = options;
    this.group = options.groups?.open(options.memoryMib) ?? null;
    this.child = startProgram(options);
    this.closed = new Promise((resolve) => {
      this.child.once('close', () => {
        this.kernelKilledFor = this.reasonOfKernel();
        this.group?.remove();
        this.hasClosed = true;
        this.settle?.(null);
        resolve();
      });
    });
    // What it started may hold its output open, and must not outlive it, even when it died alone.
    this.child.once('exit', () => void this.killGroup());
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.logTail = (this.logTail + text).slice(-LOG_TAIL_CHARACTERS);
      });
    }
    // Sending to a child that has just died fails here; its exit tells the rest.
    this.child.on('error', (error) => {
      this.logTail += `${error.message}\n`;
    });
    this.enterGroup();
  }

  /** Its next request is another run's: what it said and used before is forgotten. */
  forget(): void {
    this.logTail = '';
    this.peakRssMib = null;
    if (this.child.pid !== undefined) forgetPeak(this.child.pid);
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.connected;
  }

  /** Limit of its resident memory. */
  get memoryMib(): number {
    return this.options.memoryMib;
  }

  /** Resident memory now of it and of all that it has started, in MiB; null when it is not known. */
  get rssMib(): number | null {
    return this.child.pid === undefined ? null : residentMib(this.child.pid);
  }

  /**
   * Sends one request and watches over it: memory, progress, cancellation.
   * @throws the reason of `signal` when it was aborted; the process group is gone by then
   */
  async request(options: RequestOptions): Promise<RequestOutcome> {
    options.signal.throwIfAborted();
    const id = this.nextId;
    this.nextId += 1;
    let lastProgressAt = performance.now();
    this.lessMemory = options.lessMemory;
    const answered = new Promise<ChildAnswer | null>((resolve) => {
      this.settle = resolve;
      if (this.hasClosed) resolve(null);
      this.child.on('message', (message: ChildMessage) => {
        if (message.type === 'ready' || message.id !== id) return;
        lastProgressAt = performance.now();
        // A death may come between two looks of the watch.
        this.observeMemory();
        if (message.type === 'progress') options.onProgress(message.value);
        else resolve(message);
      });
    });
    const watch = setInterval(
      () => this.watch(performance.now() - lastProgressAt > options.stallMs),
      WATCH_INTERVAL_MS,
    );
    const stop = (): void => void this.kill();
    options.signal.addEventListener('abort', stop);
    try {
      this.child.send({ id, kind: options.kind, payload: options.payload });
      const message = await answered;
      options.signal.throwIfAborted();
      this.observeMemory();
      // What it wrote before its answer may still lie in the pipe: it is read within this turn.
      if (message !== null) await nextTurn();
      if (message === null) return this.failureOfExit();
      return message.type === 'failed' ? await this.failureOfError(message.error) : this.success(message.result);
    } finally {
      clearInterval(watch);
      options.signal.removeEventListener('abort', stop);
      this.child.removeAllListeners('message');
      this.settle = null;
      if (options.signal.aborted) await this.kill();
    }
  }

  /** Ends the whole process group and returns when nothing of it is left. */
  async kill(): Promise<void> {
    if (this.child.pid !== undefined) await terminateGroup(this.child.pid, { graceMs: KILL_GRACE_MS });
  }

  private watch(stalled: boolean): void {
    this.observeMemory();
    if (this.killedFor !== null) return;
    const { rssMib } = this;
    this.peakRssMib = rssMib === null ? this.peakRssMib : Math.max(this.peakRssMib ?? 0, rssMib);
    if (stalled) this.killedFor = 'stall';
    else if ((rssMib ?? 0) > this.options.memoryMib) this.killedFor = 'memory';
    if (this.killedFor !== null) void this.killGroup();
  }

  private async killGroup(): Promise<void> {
    await terminateGroup(this.child.pid!, { graceMs: 0, signal: 'SIGKILL' });
  }

  private observeMemory(): void {
    const peak = this.child.pid === undefined ? null : processMemory(this.child.pid)?.peakRssMib;
    if (peak !== null && peak !== undefined) this.peakRssMib = Math.max(this.peakRssMib ?? 0, peak);
  }

  private success(result: unknown): RequestOutcome {
    return { kind: 'done', result, processId: this.child.pid!, peakRssMib: this.peakRssMib };
  }

  /** It may be in any state, so it is ended; an attempt that failed has an exit code or a signal in any case. */
  private async failureOfError(error: ChildError): Promise<RequestFailure> {
    await this.kill();
    await this.closed;
    if (error.program !== undefined) return this.failureOfProgram(error.message, error.program);
    const failureClass = classOfError(error);
    const { memoryMib, peakRssMib, lessMemory } = this;
    const memory = { memoryMib, peakRssMib, lessMemory, kernelKilledFor: null };
    const lack = failureClass === 'out_of_memory' ? `; ${describeLackOfMemory(memory)}` : '';
    return {
      ...this.failureFacts(),
      failureClass,
      message: `${error.code}: ${error.message}${lack}`,
      logTail: error.stack === null ? this.logTail : `${this.logTail}${error.stack}\n`,
    };
  }

  private failureOfExit(): RequestFailure {
    const { exitCode, signalCode: signal } = this.child;
    const exit = this.exitOf({ exitCode, signal });
    return {
      ...this.failureFacts(),
      failureClass: classOfExit(exit),
      message: describeExit(exit),
      logTail: this.logTail,
    };
  }

  /** A program that it had started failed: it is judged by that one's end, and by what was seen of both. */
  private failureOfProgram(message: string, end: ProgramEnd): RequestFailure {
    const exit = this.exitOf(end);
    const failureClass = classOfExit(exit);
    const lack = failureClass === 'out_of_memory' ? `; ${describeLackOfMemory(exit)}` : '';
    return { ...this.failureFacts(), ...end, failureClass, message: `${message}${lack}`, logTail: this.logTail };
  }

  private exitOf({ exitCode, signal }: Pick<ChildExit, 'exitCode' | 'signal'>): ChildExit {
    return {
      exitCode,
      signal,
      killedFor: this.killedFor,
      kernelKilledFor: this.kernelKilledFor,
      memoryMib: this.memoryMib,
      peakRssMib: this.peakRssMib,
      lessMemory: this.lessMemory,
      logTail: this.logTail,
    };
  }

  private enterGroup(): void {
    try {
      if (this.child.pid !== undefined) this.group?.add(this.child.pid);
    } catch {
      // It has died at once, or the kernel refuses; in either case our own watch is there.
    }
  }

  private reasonOfKernel(): ChildExit['kernelKilledFor'] {
    if (this.group !== null && this.group.killCount() > 0) return 'limit';
    return outOfMemoryKillCount() > this.kernelKillsBefore ? 'machine' : null;
  }

  private failureFacts(): Omit<RequestFailure, 'failureClass' | 'message' | 'logTail'> {
    return {
      kind: 'failed',
      processId: this.child.pid ?? null,
      exitCode: this.child.exitCode,
      signal: this.child.signalCode,
      peakRssMib: this.peakRssMib,
    };
  }
}

function startProgram({ entry, memoryMib, environment }: ChildOptions): ChildProcess {
  return fork(entry, [], {
    detached: true,
    // Structured clone keeps typed arrays, NaN and infinities, which JSON does not.
    serialization: 'advanced',
    env: environment,
    execArgv: [`--max-old-space-size=${Math.ceil(memoryMib * HEAP_SHARE)}`],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

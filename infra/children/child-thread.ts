import { Worker } from 'node:worker_threads';
import { ThawError } from '../../schemas/errors.ts';
import { errorFromData } from './child-error.ts';
import type { ChildAnswer } from './protocol.ts';

/** Whoever answers requests beside this thread. Typed arrays over shared memory stay shared, everything else is copied. */
export interface RequestThread {
  /** @throws what the handler threw, or why the thread ended before its answer */
  request(kind: string, payload: unknown): Promise<unknown>;
  /** Call it when nothing is being answered: ONNX Runtime aborts the process when a pass is interrupted. */
  end(): Promise<void>;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A thread of this process, whose memory counts as the process's and which nothing can leave behind. */
class ChildThread implements RequestThread {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  /** Why it answers no more; null as long as it does. */
  private failure: Error | null = null;

  constructor(entry: string) {
    this.worker = new Worker(entry);
    this.worker.on('message', (answer: ChildAnswer) => this.settle(answer));
    this.worker.on('error', (error: Error) => this.fail(error));
    this.worker.on('exit', (code) =>
      this.fail(new ThawError('DEFECT_INVARIANT', `a thread ended before its answer with exit code ${code}`)),
    );
  }

  request(kind: string, payload: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) throw this.failure;
      const id = this.nextId;
      this.nextId += 1;
      this.worker.postMessage({ id, kind, payload });
      this.waiting.set(id, { resolve, reject });
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private settle(answer: ChildAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.type === 'done') waiting?.resolve(answer.result);
    else waiting?.reject(errorFromData(answer.error));
  }

  /** The first reason is the true one: a thread that throws also exits. */
  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.values()) reject(this.failure);
    this.waiting.clear();
  }
}

/** @param entry path of the program that calls `serveThread` */
export const startThread = (entry: string): RequestThread => new ChildThread(entry);

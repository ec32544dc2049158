import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { childEnvironment } from '../../../infra/children/child-environment.ts';
import { SupervisedChild } from '../../../infra/children/child-process.ts';
import { buildFolder } from '../../../infra/installation.ts';
import { ThawError } from '../../../schemas/errors.ts';

/** More than any of the measured runs takes: what they take is measured, and not limited. */
const MEMORY_MIB = 8192;
const STALL_MS = 600_000;

/** What a process answered, and what it took. */
export interface Answered<Response> {
  readonly response: Response;
  readonly wallS: number;
  /** Most resident memory since the request came. */
  readonly peakRssMib: number;
}

/** A training process as a worker starts it, with a folder of its own for what it stores. */
export class TrainingProcess {
  private readonly child: SupervisedChild;
  private readonly artifacts: string;

  private constructor(artifacts: string) {
    this.artifacts = artifacts;
    this.child = new SupervisedChild({
      entry: path.join(buildFolder(), 'cli/training-child.js'),
      memoryMib: MEMORY_MIB,
      environment: { ...childEnvironment(process.env), THAW_ARTIFACTS: artifacts },
      groups: null,
    });
  }

  static async start(): Promise<TrainingProcess> {
    return new TrainingProcess(await mkdtemp(path.join(tmpdir(), 'thaw-bench-')));
  }

  /** @throws DEFECT_INVARIANT with what it said last, when it failed */
  async ask<Response>(kind: string, payload: unknown): Promise<Answered<Response>> {
    this.child.forget();
    const startedAt = performance.now();
    const { signal } = new AbortController();
    const outcome = await this.child.request({
      kind,
      payload,
      stallMs: STALL_MS,
      lessMemory: 'train less at once',
      signal,
      onProgress: () => undefined,
    });
    const wallS = (performance.now() - startedAt) / 1000;
    if (outcome.kind === 'failed') {
      throw new ThawError('DEFECT_INVARIANT', `a measured process failed: ${outcome.message}\n${outcome.logTail}`);
    }
    return { response: outcome.result as Response, wallS, peakRssMib: outcome.peakRssMib ?? NaN };
  }

  async end(): Promise<void> {
    await this.child.kill();
    await rm(this.artifacts, { recursive: true, force: true });
  }
}

/** Does some work with a process that ends with it. */
export async function inTrainingProcess<Result>(work: (process: TrainingProcess) => Promise<Result>): Promise<Result> {
  return inTrainingProcesses(1, ([process]) => work(process!));
}

/** Does some work with several processes that end with it. */
export async function inTrainingProcesses<Result>(
  count: number,
  work: (processes: readonly TrainingProcess[]) => Promise<Result>,
): Promise<Result> {
  const processes = await Promise.all(Array.from({ length: count }, () => TrainingProcess.start()));
  try {
    return await work(processes);
  } finally {
    await Promise.all(processes.map((process) => process.end()));
  }
}

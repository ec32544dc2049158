import type { RequestThread } from '../infra/children/child-thread.ts';
import type { RangeReport } from '../learning/rollout/range-report.ts';
import type { Sampler } from '../learning/rollout/sampler.ts';
import type { TrainRequest } from './session-messages.ts';

/** Starts a thread with the handlers of a sampler. */
export type SamplerStarter = () => RequestThread;

/** The threads of a training process that play ranges of environments, kept from round to round. */
export class SessionSamplers {
  private readonly start: SamplerStarter | undefined;
  private threads: readonly RequestThread[] = [];
  /** Milliseconds in which each thread had something to do in the last round that is over. */
  private spentMs: number[] = [];

  /** @param start undefined where there are no threads: then one plays all, and the results are the same */
  constructor(start: SamplerStarter | undefined) {
    this.start = start;
  }

  /** Those who play a round beside this thread: one less than the request wants samplers. */
  async ofRound(request: TrainRequest): Promise<Sampler[]> {
    const threads = await this.threadsOf(request.samplerCount - 1);
    this.spentMs = threads.map(() => 0);
    return Promise.all(
      threads.map(async (thread, index) => {
        await thread.request('round', request);
        return samplerOf(thread, (busyMs) => (this.spentMs[index] = busyMs));
      }),
    );
  }

  get busyMs(): readonly number[] {
    return this.spentMs;
  }

  /** Those there are, with others started or the last of them ended until there are as many as asked for. */
  private async threadsOf(count: number): Promise<readonly RequestThread[]> {
    const { start, threads } = this;
    if (start === undefined) return [];
    this.threads = Array.from({ length: count }, (_, index) => threads[index] ?? start());
    await Promise.all(threads.slice(count).map((thread) => thread.end()));
    return this.threads;
  }
}

/** @param onEnd told how long it was busy in the round */
function samplerOf(thread: RequestThread, onEnd: (busyMs: number) => void): Sampler {
  return {
    startTurn: async (turn) => void (await thread.request('turn', turn)),
    collect: (block) => thread.request('block', block) as Promise<RangeReport>,
    release: async () => onEnd((await thread.request('release', null)) as number),
  };
}

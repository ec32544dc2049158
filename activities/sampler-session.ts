import type { RequestHandler } from '../infra/children/child-host.ts';
import { crewOf } from '../learning/rollout/crew.ts';
import { RangeSampler, type SampledBlock, type SampledTurn } from '../learning/rollout/sampler.ts';
import { requestedRound } from './requested-round.ts';
import { type LearnerDependencies, SessionLearners } from './session-learners.ts';
import type { TrainRequest } from './session-messages.ts';
import { type PolicyDependencies, SessionPolicies } from './session-policies.ts';

export interface SamplerDependencies extends LearnerDependencies, PolicyDependencies {
  /** Milliseconds of some clock, for who wants to know how much of them is spent at work. */
  readonly clock: () => number;
}

/**
 * The work of a sampler: it plays a range of the environments of a training process's rounds, with the weights that come
 * with each block. Its networks stay from round to round, and never learn.
 */
export function createSamplerHandlers(dependencies: SamplerDependencies): Record<string, RequestHandler> {
  const learners = new SessionLearners(dependencies);
  const policies = new SessionPolicies(dependencies);
  let sampler: RangeSampler | null = null;
  let busyMs = 0;

  const startRound = async (request: TrainRequest): Promise<void> => {
    await policies.keepThoseOf(request.pool);
    // Weights come with the blocks: any that fit will do.
    const members = await learners.of({ ...request, checkpointHash: null }, { startsMembers: false, learns: false });
    const round = requestedRound(request, dependencies.registries);
    const played = { ...round, loadPolicy: policies.load, onStage: () => undefined };
    sampler = new RangeSampler(played, crewOf(members, round));
    busyMs = 0;
  };
  const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const startedMs = dependencies.clock();
    const result = await work();
    busyMs += dependencies.clock() - startedMs;
    return result;
  };
  return {
    round: (payload) => startRound(payload as TrainRequest),
    turn: (payload) => timed(() => sampler!.startTurn(payload as SampledTurn)),
    block: (payload) => timed(() => sampler!.collect(payload as SampledBlock)),
    /** @returns the milliseconds of the round in which it had something to do */
    release: async () => {
      await sampler!.release();
      return busyMs;
    },
  };
}

import type { RequestHandler } from '../infra/children/child-host.ts';
import { crewOf } from '../learning/rollout/crew.ts';
import { RangeSampler, type SampledBlock, type SampledTurn } from '../learning/rollout/sampler.ts';
import { requestedRound } from './requested-round.ts';
import { type LearnerDependencies, SessionLearners } from './session-learners.ts';
import type { TrainRequest } from './session-messages.ts';
import { type PolicyDependencies, SessionPolicies } from './session-policies.ts';

export type SamplerDependencies = LearnerDependencies & PolicyDependencies;

/**
 * The work of a sampler: it plays a range of the environments of a training process's rounds, with the weights that come
 * with each block. Its networks stay from round to round, and never learn.
 */
export function createSamplerHandlers(dependencies: SamplerDependencies): Record<string, RequestHandler> {
  const learners = new SessionLearners(dependencies);
  const policies = new SessionPolicies(dependencies);
  let sampler: RangeSampler | null = null;

  const startRound = async (request: TrainRequest): Promise<void> => {
    await policies.keepThoseOf(request.pool);
    // Weights come with the blocks: any that fit will do.
    const members = await learners.of({ ...request, checkpointHash: null }, { startsMembers: false });
    const round = requestedRound(request, dependencies.registries);
    const played = { ...round, loadPolicy: policies.load, onStage: () => undefined };
    sampler = new RangeSampler(played, crewOf(members, round));
  };
  return {
    round: (payload) => startRound(payload as TrainRequest),
    turn: (payload) => sampler!.startTurn(payload as SampledTurn),
    block: (payload) => sampler!.collect(payload as SampledBlock),
    release: () => sampler!.release(),
  };
}

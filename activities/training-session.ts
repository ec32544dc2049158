import type { RequestHandler } from '../infra/children/child-host.ts';
import type { Learner, PolicyDescription } from '../learning/algorithms/contract.ts';
import { mine } from '../learning/failures/mining/mine.ts';
import { behaviourEpisodes } from '../learning/measures/behaviour-episodes.ts';
import { probeBehaviour } from '../learning/measures/behaviour.ts';
import { seatsOfMember, type TrainedMember } from '../learning/rollout/crew.ts';
import { evaluate, type Player } from '../learning/evaluation.ts';
import type { Graph } from '../learning/graph/expression.ts';
import { trainRound } from '../learning/training.ts';
import { ThawError } from '../schemas/errors.ts';
import type { World } from '../simulators/contract.ts';
import { RandomStream } from '../simulators/random.ts';
import { ForeignLearner } from '../learning/trainers/foreign-learner.ts';
import { openWorld } from '../specification/open-world.ts';
import { roundSchedule } from '../specification/plan.ts';
import { trainElsewhere } from './foreign-round.ts';
import { IdleWatch } from './idle-watch.ts';
import { requestedRound } from './requested-round.ts';
import { type LearnerDependencies, SessionLearners } from './session-learners.ts';
import type {
  BehaveRequest,
  BehaveResponse,
  EvaluateRequest,
  EvaluateResponse,
  ExportRequest,
  ExportResponse,
  MineRequest,
  MineResponse,
  SessionState,
  TrainRequest,
  TrainResponse,
} from './session-messages.ts';
import { type PolicyDependencies, SessionPolicies } from './session-policies.ts';
import { type SamplerStarter, SessionSamplers } from './session-samplers.ts';

export interface SessionDependencies extends LearnerDependencies, PolicyDependencies {
  /** Absent where one thread plays everything. */
  readonly startSampler?: SamplerStarter | undefined;
  /** Milliseconds of some clock. */
  readonly clock: () => number;
  /** Folder in which programs that train for us are given folders to work in. */
  readonly workFolders: string;
  /** The policy graph as a file that other programs can run. */
  readonly exportModel: (graph: Graph, metadata: Readonly<Record<string, string>>) => Uint8Array;
}

type Progress = (value: number) => Promise<void>;

/** Members go on from those that they copy, and learn, in training only. */
const AS_STORED = { startsMembers: false, learns: false };

/**
 * The work of a training process: it keeps one run's networks in memory and loads a checkpoint only when the request is
 * about other weights than those it has.
 */
export function createSessionHandlers(dependencies: SessionDependencies): Record<string, RequestHandler> {
  const session = new TrainingSession(dependencies);
  return {
    train: (payload, progress) => session.train(payload as TrainRequest, progress),
    evaluate: (payload, progress) => session.evaluate(payload as EvaluateRequest, progress),
    behave: (payload, progress) => session.behave(payload as BehaveRequest, progress),
    mine: (payload, progress) => session.mine(payload as MineRequest, progress),
    export: (payload) => session.export(payload as ExportRequest),
  };
}

class TrainingSession {
  private readonly dependencies: SessionDependencies;
  private readonly learners: SessionLearners;
  private readonly policies: SessionPolicies;
  private readonly samplers: SessionSamplers;

  constructor(dependencies: SessionDependencies) {
    this.dependencies = dependencies;
    this.learners = new SessionLearners(dependencies);
    this.policies = new SessionPolicies(dependencies);
    this.samplers = new SessionSamplers(dependencies.startSampler);
  }

  async train(request: TrainRequest, progress: Progress): Promise<TrainResponse> {
    const { registries, clock, executorOn } = this.dependencies;
    await this.policies.keepThoseOf(request.pool);
    const { startsMembers } = request;
    const members = await this.learners.of(request, { startsMembers, learns: true });
    const [{ learner }] = members as [TrainedMember];
    if (learner instanceof ForeignLearner) return this.trainElsewhere(request, learner, progress);
    const samplers = await this.samplers.ofRound(request);
    const { blockSteps } = roundSchedule(request.resolved, registries);
    this.learners.forget();
    const watch = new IdleWatch(clock);
    const result = await trainRound({
      ...requestedRound(request, registries),
      members,
      samplers,
      loadPolicy: this.policies.load,
      onProgress: (updates) => progress(updates * blockSteps),
      onStage: samplers.length === 0 ? () => undefined : watch.enter,
    });
    const { divergence, ...trained } = result;
    if (divergence !== null) return { divergence };
    const gpuBytes = (await executorOn(request.device ?? 'cpu')).peakGpuBytes();
    const peakGpuMib = gpuBytes === null ? null : gpuBytes / 2 ** 20;
    const idleShares = samplers.length === 0 ? [] : watch.shares(this.samplers.busyMs);
    return { divergence, ...trained, ...(await this.learners.store()), idleShares, peakGpuMib };
  }

  /** What trains is a program of the user. */
  private async trainElsewhere(
    request: TrainRequest,
    learner: ForeignLearner,
    onProgress: Progress,
  ): Promise<TrainResponse> {
    const { registries, artifacts, workFolders } = this.dependencies;
    const world = openWorld(request.resolved, registries);
    const { blockSteps, updatesOfRound } = roundSchedule(request.resolved, registries);
    const envSteps = blockSteps * updatesOfRound[request.roundIndex]!;
    this.learners.forget();
    const result = await trainElsewhere(
      { request, world, learner, envSteps },
      { artifacts, workFolders, loadPolicy: this.policies.load, onProgress },
    );
    if (result.divergence !== null) return result;
    return { ...result, ...(await this.learners.store()), idleShares: [], peakGpuMib: null };
  }

  async evaluate(request: EvaluateRequest, progress: Progress): Promise<EvaluateResponse> {
    const { resolved, simulators, episodes, key } = request;
    return evaluate(await this.playerOf(request), {
      world: openWorld(resolved, this.dependencies.registries),
      learners: resolved.learners,
      simulators,
      episodes,
      loadPolicy: this.policies.load,
      seed: resolved.evaluation.seed,
      key,
      onProgress: progress,
    });
  }

  async behave(request: BehaveRequest, progress: Progress): Promise<BehaveResponse> {
    const { resolved, simulators, gain } = request;
    const { learner, partner } = await this.seatedMembers(request);
    return probeBehaviour({
      world: openWorld(resolved, this.dependencies.registries),
      learner,
      partner: partner ?? null,
      learners: resolved.learners,
      simulators,
      episodes: behaviourEpisodes(resolved.evaluation),
      loadPolicy: this.policies.load,
      seed: resolved.evaluation.seed,
      gain,
      onProgress: progress,
    });
  }

  async mine(request: MineRequest, progress: Progress): Promise<MineResponse> {
    const { resolved, mode, simulators, keys, plan, earlier, selectionKey } = request;
    const { learner, partner } = await this.seatedMembers(request);
    return mine({
      world: openWorld(resolved, this.dependencies.registries),
      player: { kind: 'policy', learner, partner, mode },
      learners: resolved.learners,
      simulators,
      keys,
      plan,
      earlier,
      random: new RandomStream(selectionKey),
      loadPolicy: this.policies.load,
      onProgress: progress,
    });
  }

  async export(request: ExportRequest): Promise<ExportResponse> {
    const { artifacts, exportModel, registries } = this.dependencies;
    const world = openWorld(request.resolved, registries);
    const members = await this.learners.of(request, AS_STORED);
    return Promise.all(
      members.flatMap((member) =>
        exportedPolicies(member, world, request.resolved.learners).map(async ({ group, identitySize }) => {
          const metadata = policyMetadata(request, member.name, identitySize);
          const { learner } = member;
          const bytes = learner.policyFile?.(group) ?? exportModel(learner.policyGraph(group), metadata);
          return { member: member.name, group, artifact: await artifacts.write(bytes) };
        }),
      ),
    );
  }

  private async playerOf(request: EvaluateRequest): Promise<Player> {
    const { player, mode } = request;
    if (player === 'random') return { kind: 'random' };
    const seated = await this.seatedMembers(request);
    // Of equal probabilities the most probable action would be the first: nothing that anybody has trained.
    if (seated.learner instanceof ForeignLearner && seated.learner.isUntrained) return { kind: 'random' };
    return { kind: 'policy', ...seated, mode };
  }

  /** The member that plays, and the trained partner that there may be beside it. */
  private async seatedMembers(
    request: SessionState & { readonly member: string },
  ): Promise<{ learner: Learner; partner: Learner | undefined }> {
    const members = await this.learners.of(request, AS_STORED);
    const playing = members.find(({ name, seats }) => name === request.member && seats === 'learners');
    const partner = members.find(({ seats }) => seats === 'partners');
    if (playing !== undefined) return { learner: playing.learner, partner: partner?.learner };
    throw new ThawError('DEFECT_INVARIANT', `nobody in the learners' seats is called ${request.member}`);
  }
}

/** Of a learner all policies, for `self` may be anybody; of a partner those of the groups in which it can hold a seat. */
function exportedPolicies(
  member: TrainedMember,
  world: World,
  learners: readonly number[],
): readonly PolicyDescription[] {
  const { learner } = member;
  const policies = learner.policies.filter(({ group }) => learner.policyFile?.(group) !== null);
  if (member.seats === 'learners') return policies;
  const held = seatsOfMember(member, world, learners);
  return policies.filter(({ group }) => world.groups[group]!.seats.some((seat) => held.includes(seat)));
}

/** What a user must know to feed the policy: where it comes from, and what its input row holds. */
function policyMetadata(
  { resolved, seed, checkpointHash }: SessionState,
  member: string,
  identitySize: number,
): Record<string, string> {
  return {
    family: resolved.family,
    family_version: resolved.family_version,
    family_options: JSON.stringify(resolved.family_options),
    learners: JSON.stringify(resolved.learners),
    seed: String(seed),
    member,
    checkpoint: String(checkpointHash),
    input: identitySize === 0 ? 'observation' : `observation, then a one-hot of ${identitySize} seats`,
    identity_size: String(identitySize),
    output: 'unnormalised log probability of each action',
  };
}

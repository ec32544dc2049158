import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import type { RequestHandler } from '../infra/children/child-host.ts';
import type { Learner } from '../learning/algorithms/contract.ts';
import { evaluate } from '../learning/evaluation.ts';
import type { Executor } from '../learning/executor.ts';
import type { Graph } from '../learning/graph/expression.ts';
import type { PolicyModel } from '../learning/partner-policies.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import { trainRound } from '../learning/training.ts';
import { openWorld } from '../specification/open-world.ts';
import { roundSchedule } from '../specification/plan.ts';
import type { Registries } from '../specification/registries.ts';
import type {
  EvaluateRequest,
  EvaluateResponse,
  ExportRequest,
  ExportResponse,
  SessionState,
  TrainRequest,
  TrainResponse,
} from './session-messages.ts';

export interface SessionDependencies {
  readonly executor: Executor;
  readonly artifacts: ArtifactStore;
  readonly registries: Registries;
  /** Reads a policy file; errors call it by the name given. */
  readonly loadModel: (bytes: Uint8Array, name: string) => Promise<PolicyModel>;
  /** The policy graph as a file that other programs can run. */
  readonly exportModel: (graph: Graph, metadata: Readonly<Record<string, string>>) => Uint8Array;
}

type Progress = (value: number) => Promise<void>;

/**
 * The work of a training process: it keeps one run's networks in memory and loads a checkpoint only when the request is
 * about other weights than those it has.
 */
export function createSessionHandlers(dependencies: SessionDependencies): Record<string, RequestHandler> {
  const session = new TrainingSession(dependencies);
  return {
    train: (payload, progress) => session.train(payload as TrainRequest, progress),
    evaluate: (payload, progress) => session.evaluate(payload as EvaluateRequest, progress),
    export: (payload) => session.export(payload as ExportRequest),
  };
}

class TrainingSession {
  private readonly dependencies: SessionDependencies;
  private learner: Learner | null = null;
  private owner = '';
  private checkpointHash: string | null = null;
  private readonly policies = new Map<string, Promise<PolicyModel>>();

  constructor(dependencies: SessionDependencies) {
    this.dependencies = dependencies;
  }

  async train(request: TrainRequest, progress: Progress): Promise<TrainResponse> {
    const { resolved, roundIndex, pool, seed } = request;
    const learner = await this.learnerFor(request);
    const schedule = roundSchedule(resolved);
    // Until the new checkpoint is stored the weights in memory belong to none.
    this.owner = '';
    const result = await trainRound({
      world: openWorld(resolved, this.dependencies.registries),
      learner,
      learners: resolved.learners,
      environmentCount: resolved.algorithm.parallel_environments,
      stepCount: resolved.algorithm.rollout_steps,
      pool,
      loadPolicy: (artifact) => this.loadPolicy(artifact),
      seed,
      roundIndex,
      updateCount: schedule.updatesOfRound[roundIndex]!,
      onProgress: (updates) => progress(updates * schedule.blockSteps),
      onStage: () => undefined,
    });
    const checkpoint = await this.dependencies.artifacts.write(learner.save());
    this.owner = ownerOf(request);
    this.checkpointHash = checkpoint.hash;
    const episodes = result.episodes.map((summary) => ({ ...summary, scores: null }));
    return { ...result, episodes, members: [], scoringEnvSteps: 0, isFinite: learner.isFinite(), checkpoint };
  }

  async evaluate(request: EvaluateRequest, progress: Progress): Promise<EvaluateResponse> {
    const { resolved, player, simulators, episodes, mode } = request;
    const learner = player === 'policy' ? await this.learnerFor(request) : null;
    return evaluate(learner === null ? { kind: 'random' } : { kind: 'policy', learner, mode }, {
      world: openWorld(resolved, this.dependencies.registries),
      learners: resolved.learners,
      simulators,
      episodes,
      loadPolicy: (artifact) => this.loadPolicy(artifact),
      seed: resolved.evaluation.seed,
      onProgress: progress,
    });
  }

  async export(request: ExportRequest): Promise<ExportResponse> {
    const learner = await this.learnerFor(request);
    const { artifacts, exportModel } = this.dependencies;
    return Promise.all(
      learner.policies.map(async (policy) => {
        const metadata = policyMetadata(request, policy.identitySize);
        return {
          member: leaderOf(request.members),
          group: policy.group,
          artifact: await artifacts.write(exportModel(learner.policyGraph(policy.group), metadata)),
        };
      }),
    );
  }

  /** Policies of partners are kept: a process serves one run, whose simulators do not change much. */
  private loadPolicy(artifact: string): Promise<PolicyModel> {
    const known = this.policies.get(artifact);
    if (known !== undefined) return known;
    const { artifacts, loadModel } = this.dependencies;
    const loading = artifacts.read(artifact).then((bytes) => loadModel(bytes, `the policy ${artifact}`));
    this.policies.set(artifact, loading);
    return loading;
  }

  private async learnerFor(state: SessionState): Promise<Learner> {
    const isFresh = this.learner === null || this.owner !== ownerOf(state);
    if (!isFresh && this.checkpointHash === state.checkpointHash) return this.learner!;
    // Only a new learner has the initial weights of its seed.
    if (isFresh || state.checkpointHash === null) await this.replaceLearner(state);
    if (state.checkpointHash !== null) {
      this.owner = '';
      this.learner!.load(await this.dependencies.artifacts.read(state.checkpointHash));
    }
    this.owner = ownerOf(state);
    this.checkpointHash = state.checkpointHash;
    return this.learner!;
  }

  private async replaceLearner({ resolved, seed }: SessionState): Promise<void> {
    const { registries, executor } = this.dependencies;
    this.owner = '';
    await this.learner?.release();
    this.learner = await registries.algorithms[resolved.algorithm.name]!.createLearner({
      world: openWorld(resolved, registries),
      learners: resolved.learners,
      parameters: resolved.algorithm,
      executor,
      updateCount: roundSchedule(resolved).updateCount,
      seed,
    });
  }
}

const ownerOf = ({ variantHash, seed }: SessionState): string => `${variantHash} ${seed}`;

/** What a user must know to feed the policy: where it comes from, and what its input row holds. */
function policyMetadata(
  { resolved, seed, checkpointHash }: SessionState,
  identitySize: number,
): Record<string, string> {
  return {
    family: resolved.family,
    family_version: resolved.family_version,
    family_options: JSON.stringify(resolved.family_options),
    learners: JSON.stringify(resolved.learners),
    seed: String(seed),
    checkpoint: String(checkpointHash),
    input: identitySize === 0 ? 'observation' : `observation, then a one-hot of ${identitySize} seats`,
    identity_size: String(identitySize),
    output: 'unnormalised log probability of each action',
  };
}

import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import { runTrainer } from '../infra/trainers/run-trainer.ts';
import type { PolicyLoader } from '../learning/rollout/partner-policies.ts';
import type { CommandParameters } from '../learning/trainers/command.ts';
import type { ForeignLearner } from '../learning/trainers/foreign-learner.ts';
import { PlayedWorld } from '../learning/trainers/played-world.ts';
import { ThawError } from '../schemas/errors.ts';
import type { World } from '../simulators/contract.ts';
import type { PolicyPartner } from '../simulators/outside-partners.ts';
import { ForeignAccount, type ForeignlyTrained } from './foreign-account.ts';
import type { DivergedRound, TrainRequest } from './session-messages.ts';
import { trainerTask } from './trainer-task.ts';

export interface ForeignRoundDependencies {
  readonly artifacts: Pick<ArtifactStore, 'read'>;
  readonly loadPolicy: PolicyLoader;
  /** Folder in which work folders are made. */
  readonly workFolders: string;
  readonly onProgress: (envSteps: number) => Promise<void>;
}

interface ForeignRound {
  readonly request: TrainRequest;
  readonly world: World;
  readonly learner: ForeignLearner;
  /** Of the round. */
  readonly envSteps: number;
}

/**
 * Has the program of a variant train a round. What it plays in the world of Thaw is counted and summed up here; of episodes in
 * a world of its own there is what it says. Its policies are those of the learner from now on.
 * @throws ProgramFailure, or REQUEST_… when it leaves what cannot be used
 */
export async function trainElsewhere(
  round: ForeignRound,
  { artifacts, loadPolicy, workFolders, onProgress }: ForeignRoundDependencies,
): Promise<ForeignlyTrained | DivergedRound> {
  const { request, learner, world, envSteps } = round;
  const account = new ForeignAccount(request, envSteps);
  const algorithm = request.resolved.algorithm as CommandParameters & typeof request.resolved.algorithm;
  const outcome = await runTrainer({
    parent: workFolders,
    command: algorithm.command,
    program: await readAll(artifacts, algorithm.files),
    checkpoint: learner.isUntrained ? null : learner.state.files,
    policies: await readAll(artifacts, policiesOf(request)),
    task: trainerTask(request, world, { envSteps, settings: algorithm.settings }),
    openWorld: (environmentCount) =>
      PlayedWorld.create({
        world,
        environmentCount,
        loadPolicy,
        learners: request.resolved.learners,
        pool: request.pool,
        groupSize: request.episodeRule.groupSize,
        seed: request.seed,
        roundIndex: request.roundIndex,
        onEpisode: (simulator, outcome) => account.add(simulator, outcome),
      }),
    beforeStep: (count) => account.addPlayed(count),
    onEvent: (event) => account.take(event),
    onProgress: () => onProgress(account.shownEnvSteps),
  });
  if ('diverged' in outcome.result) return account.diverged(outcome.result.diverged);
  await learner.take(outcome.state!);
  requireEveryRole(world, request.resolved.learners, learner);
  const visitation = outcome.played?.visitation ?? request.pool.map(() => unvisited(world));
  return account.trained(outcome.result.env_steps, visitation);
}

/** Of a simulator in which nothing was seen. */
const unvisited = ({ features }: World): number[][] =>
  features.map(({ bins }) => Array.from({ length: bins }, () => 0));

/** Artifacts by a name for each. */
async function readAll(
  artifacts: Pick<ArtifactStore, 'read'>,
  hashes: Readonly<Record<string, string>>,
): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const [name, hash] of Object.entries(hashes)) contents.set(name, await artifacts.read(hash));
  return contents;
}

function policiesOf({ pool }: TrainRequest): Record<string, string> {
  const partners = pool.flatMap(({ simulator }) => Object.values(simulator.partners));
  const policies = partners.filter(({ kind }) => kind === 'policy') as unknown as PolicyPartner[];
  return Object.fromEntries(policies.map(({ artifact }) => [artifact, artifact]));
}

/** @throws REQUEST_CONFLICT when learners of some role have no policy */
function requireEveryRole({ groups }: World, learners: readonly number[], { state }: ForeignLearner): void {
  for (const { role, seats } of groups) {
    if (state.policies.has(role) || !seats.some((seat) => learners.includes(seat))) continue;
    const given = [...state.policies.keys()].map((name) => `"${name}"`).join(', ') || 'none';
    throw new ThawError(
      'REQUEST_CONFLICT',
      `the trainer gave no policy for "${role}", which learns; it gave ${given}`,
      {
        remedy: `Export one, and name it in the result: {"policies": {"${role}": "FILE.onnx"}}.`,
      },
    );
  }
}

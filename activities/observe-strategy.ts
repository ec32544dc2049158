import type { ArtifactRecord } from '../infra/postgres/artifact-rows.ts';
import type { RunPool } from '../infra/postgres/pool-rows.ts';
import { listMemberParts, listTrainingParts, type RoundSpan } from '../infra/postgres/training-evidence-rows.ts';
import type { MiningPlan } from '../learning/failures/contract.ts';
import { mergeSummaries } from '../learning/rollout/merge-summaries.ts';
import { SAMPLES_MAX } from '../learning/rollout/sample-log.ts';
import { mean } from '../learning/statistics/moments.ts';
import type { MemberEvidence, Need, TrainingEvidence } from '../learning/strategies/contract.ts';
import type { World } from '../simulators/contract.ts';
import type { Observed } from '../specification/evidence.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { type MinedParts, mineValidation } from './mine-validation.ts';
import { envStepsOf, heldOutMembers } from './panels.ts';
import { playPolicy } from './play-policy.ts';
import { requirePolicies, wholeCheckpoint } from './repair-checkpoint.ts';
import { runSamples } from './run-samples.ts';
import type { ExportResponse, SessionState } from './session-messages.ts';

/** What a strategy is told, and what it cost to find out. */
export interface Observation extends Observed {
  /** Env steps of the validation episodes that were played for it. */
  readonly miningEnvSteps: number;
  /** The policies that it was told of. */
  readonly artifacts: readonly ArtifactRecord[];
  /** What is stored of what was mined; null where nothing was. */
  readonly minedParts: MinedParts | null;
}

interface Observing {
  readonly pool: RunPool;
  readonly round: number;
  readonly needs: readonly Need[];
  /** Null for nothing. */
  readonly mining: MiningPlan | null;
  readonly world: World;
}

/** Everything that happened since the strategy decided last, as far as it needs to know. */
export async function observeStrategy(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { pool, round, needs, mining, world }: Observing,
): Promise<Observation> {
  const { database } = dependencies;
  const span: RoundSpan = { after: pool.round, upTo: round };
  const checkpointHash = await wholeCheckpoint(dependencies, attempt, { runId: attempt.run.id, round, learns: false });
  await requirePolicies(dependencies, attempt, heldOutMembers(world, attempt.run.resolved, 'validation'));
  const session = attempt.session(checkpointHash, pool.members);
  const returns = await trainingReturns(dependencies, attempt, span);
  const policies = needs.includes('policies') ? await attempt.compute<ExportResponse>('export', session) : null;
  const members: MemberEvidence[] = [];
  let miningEnvSteps = 0;
  for (const { name, seats } of pool.members) {
    const isValidated = needs.includes('validation_returns') && seats === 'learners';
    const validated = isValidated ? await validate(attempt, { session, member: name, world }) : null;
    miningEnvSteps += validated?.envSteps ?? 0;
    members.push({
      name,
      trainingReturn: returns.get(name) ?? NaN,
      validationReturn: validated?.returnMean ?? null,
      policies: policies === null ? null : policiesOf(policies, name, world),
    });
  }
  const validation =
    mining === null ? null : await mineValidation(database, attempt, { session, round, mining, world });
  const stored = needs.includes('episode_samples')
    ? await runSamples(database, attempt.run.id, { upTo: round, world })
    : null;
  return {
    training: await trainingSince(dependencies, attempt, span, pool),
    members,
    samples: stored === null ? [] : [...stored, ...(validation?.mined.samples ?? [])].slice(-SAMPLES_MAX),
    mined: validation?.mined ?? null,
    minedParts: validation?.parts ?? null,
    miningEnvSteps: miningEnvSteps + (validation?.mined.envSteps ?? 0),
    artifacts: (policies ?? []).map(({ member, group, artifact }) => ({
      kind: `snapshot:${member}:${group}`,
      ...artifact,
    })),
  };
}

async function trainingSince(
  { database }: ActivityDependencies,
  attempt: Attempt,
  span: RoundSpan,
  pool: RunPool,
): Promise<TrainingEvidence[]> {
  const parts = await listTrainingParts(database, attempt.run.id, span);
  return pool.entries.map(({ name }, index) => ({
    name,
    ...mergeSummaries(parts.filter(({ position }) => position === index)),
  }));
}

async function trainingReturns(
  { database }: ActivityDependencies,
  attempt: Attempt,
  span: RoundSpan,
): Promise<Map<string, number>> {
  const parts = await listMemberParts(database, attempt.run.id, span);
  const returns = new Map<string, number>();
  for (const name of new Set(parts.map((part) => part.name))) {
    const played = parts.filter((part) => part.name === name && part.episodes > 0);
    const episodes = played.reduce((sum, part) => sum + part.episodes, 0);
    returns.set(name, played.reduce((sum, part) => sum + part.episodes * part.returnMean, 0) / episodes);
  }
  return returns;
}

/** One member on the validation panel. */
async function validate(
  attempt: Attempt,
  { session, member, world }: { session: SessionState; member: string; world: World },
): Promise<{ returnMean: number; envSteps: number }> {
  const { resolved } = attempt.run;
  const played = await playPolicy(attempt, session, {
    member,
    simulators: heldOutMembers(world, resolved, 'validation'),
    episodes: resolved.evaluation.episodes,
    mode: resolved.evaluation.policy_mode,
  });
  return {
    returnMean: mean(played.map(({ episodes }) => mean(episodes.map((episode) => episode.return)))),
    envSteps: envStepsOf(played),
  };
}

/** By group of seats; empty where the member has no policy for the group. */
function policiesOf(exported: ExportResponse, name: string, world: World): string[] {
  return world.groups.map(
    (_, group) => exported.find((each) => each.member === name && each.group === group)?.artifact.hash ?? '',
  );
}

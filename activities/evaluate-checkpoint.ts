import { findPool, type RunPool } from '../infra/postgres/pool-rows.ts';
import type { EvaluationCommit } from '../infra/postgres/evaluation-rows.ts';
import type { Behaviour } from '../learning/measures/behaviour.ts';
import { collapseScores, type ScoredSimulator } from '../learning/measures/collapse.ts';
import type { SimulatorEvaluation } from '../learning/evaluation.ts';
import { mean, sampleStandardDeviation } from '../learning/statistics/moments.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import { visitationDivergence } from '../learning/measures/visitation.ts';
import { ThawError } from '../schemas/errors.ts';
import type { EvaluationRecord } from '../schemas/records.ts';
import type { PanelName } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import { openWorld } from '../specification/open-world.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { envStepsOf, panelMembers, type PanelMember } from './panels.ts';
import { playPolicy } from './play-policy.ts';
import { referenceReturns } from './reference-returns.ts';
import { requirePolicies, wholeCheckpoint } from './repair-checkpoint.ts';
import type { BehaveRequest, BehaveResponse, EvaluateResponse, SessionState } from './session-messages.ts';
import { simulatorRecord } from './simulator-record.ts';

/** The policy after so many completed rounds, as requests name it, and what it was trained on. */
export interface EvaluatedCheckpoint {
  readonly pool: RunPool;
  readonly session: SessionState;
}

/** The checkpoint after so many completed rounds. */
export async function checkpointOfRound(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  round: number,
): Promise<EvaluatedCheckpoint> {
  const { database } = dependencies;
  const { id } = attempt.run;
  // The pool that the last of them trained on; before any, the one the first will train on.
  const pool = await findPool(database, id, Math.max(0, round - 1));
  if (pool === null) throw new ThawError('DEFECT_INVARIANT', `${id} has no pool before round ${round}`);
  const checkpointHash = await wholeCheckpoint(dependencies, attempt, { runId: id, round, learns: false });
  return { pool, session: attempt.session(checkpointHash, pool.members) };
}

/** Plays a checkpoint on every simulator of the panels, and chance on those where nobody has played it yet. */
export async function evaluateCheckpoint(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { checkpoint, episodes }: { checkpoint: EvaluatedCheckpoint; episodes: number },
): Promise<Omit<EvaluationCommit, 'round' | 'checkpoint' | 'costs'> & { envSteps: number }> {
  const { resolved } = attempt.run;
  const { session, pool } = checkpoint;
  const world = openWorld(resolved, dependencies.registries);
  const panels = panelMembers(world, resolved, pool);
  const mode = resolved.evaluation.policy_mode;
  await requirePolicies(dependencies, attempt, panels);
  const played = await playPolicy(attempt, session, { simulators: panels, episodes, mode });
  const references = await referenceReturns(dependencies, attempt, session, panels);
  const divergences = visitationDivergences(panels, played);
  const scored = panels.map(({ weight, referenceHash }, index): ScoredSimulator => ({
    weight,
    returns: played[index]!.episodes.map((outcome) => outcome.return),
    randomReturns: references.get(referenceHash)!,
    visitationDivergence: divergences[index]!,
  }));
  const panel = (name: PanelName): ScoredSimulator[] => scored.filter((_, index) => panels[index]!.panel === name);
  const scores = collapseScores(
    { train: panel('train'), validation: panel('validation'), test: panel('test') },
    resolved.verdict,
  );
  const { envSteps, ...behaviour } = await behaviourOf(attempt, checkpoint, {
    train: panels.filter((member) => member.panel === 'train'),
    gain: scores.trainGain!,
  });
  return {
    simulators: panels.map(({ simulator }) => simulatorRecord(world, simulator)),
    envSteps: envSteps + envStepsOf(played),
    evaluations: panels.map((member, index) =>
      evaluationRecord(member, played[index]!, { world, visitationDivergence: divergences[index]! }),
    ),
    scores: { ...scores, ...behaviour },
  };
}

/** How the policy behaves where it trains. */
async function behaviourOf(
  attempt: Attempt,
  { session }: EvaluatedCheckpoint,
  { train, gain }: { train: readonly PanelMember[]; gain: number },
): Promise<Behaviour> {
  const total = train.reduce((sum, { weight }) => sum + weight, 0);
  const request: BehaveRequest = {
    ...session,
    member: leaderOf(session.members),
    simulators: train.map(({ simulator, randomization, weight }) => ({
      simulator,
      randomization,
      weight: weight / total,
    })),
    gain,
  };
  return attempt.compute<BehaveResponse>('behave', request);
}

/** How far each held-out member is from the training pool in what the learners visit; null for the pool itself. */
function visitationDivergences(members: readonly PanelMember[], played: EvaluateResponse): (number | null)[] {
  const train = members.flatMap(({ panel, weight }, index) =>
    panel === 'train' ? [{ weight, visitation: played[index]!.visitation }] : [],
  );
  return members.map(({ panel }, index) =>
    panel === 'train' || train.length === 0 ? null : visitationDivergence(train, played[index]!.visitation),
  );
}

function evaluationRecord(
  member: PanelMember,
  { episodes, visitation }: SimulatorEvaluation,
  { world, visitationDivergence }: { world: World; visitationDivergence: number | null },
): EvaluationRecord {
  const returns = episodes.map((outcome) => outcome.return);
  const lengths = episodes.map((outcome) => outcome.length);
  const successes = episodes.map((outcome) => outcome.success);
  const { panel, name, simulatorHash: hash, referenceHash, weight } = member;
  return {
    panel,
    name,
    simulatorHash: hash,
    referenceHash,
    weight,
    returnMean: mean(returns),
    returnStd: sampleStandardDeviation(returns),
    lengthMean: mean(lengths),
    successRate: mean(successes.map(Number)),
    returns,
    lengths,
    successes,
    visitation: world.features.map(({ name: feature }, index) => ({ feature, counts: visitation[index]! })),
    visitationDivergence,
  };
}

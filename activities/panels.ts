import type { RunPool } from '../infra/postgres/pool-rows.ts';
import { findReference, insertReference } from '../infra/postgres/reference-rows.ts';
import { collapseScores, type CollapseScores, type ScoredSimulator } from '../learning/collapse.ts';
import type { SimulatorEvaluation } from '../learning/evaluation.ts';
import type { RandomizationRanges } from '../learning/strategies/contract.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import { mean, sampleStandardDeviation } from '../learning/moments.ts';
import { visitationDivergence } from '../learning/visitation.ts';
import type { EvaluationRecord } from '../schemas/records.ts';
import type { PanelName, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { contentHash, simulatorHash } from '../specification/identity.ts';
import { openWorld } from '../specification/open-world.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { EvaluateRequest, EvaluateResponse, SessionState } from './session-messages.ts';

/** r(s) is always measured over this many episodes, whatever a spec's own numbers are. */
const REFERENCE_EPISODES = 320;

/** A simulator in a panel, as it is evaluated. */
export interface PanelMember {
  readonly panel: PanelName;
  readonly name: string;
  readonly simulator: SimulatorData;
  readonly simulatorHash: string;
  /** Names what the random policy was measured on: the simulator, what is drawn into it, and whose return counts. */
  readonly referenceHash: string;
  readonly weight: number;
  readonly randomization: RandomizationRanges;
}

/** The three panels of a variant: the pool it trains on as `train`, with the pool's weights and draws. */
export function panelMembers(world: World, resolved: ResolvedVariant, pool: RunPool): PanelMember[] {
  return [
    ...pool.entries.map((entry) => panelMember(world, resolved, 'train', entry)),
    ...heldOutMembers(world, resolved, 'validation'),
    ...heldOutMembers(world, resolved, 'test'),
  ];
}

/** A panel that is never trained on, its simulators all of one weight and as they are. */
export function heldOutMembers(
  world: World,
  resolved: ResolvedVariant,
  panel: Exclude<PanelName, 'train'>,
): PanelMember[] {
  return resolved.panels[panel].map((name) =>
    panelMember(world, resolved, panel, { name, simulator: resolved.simulators[name]!, weight: 1, randomization: {} }),
  );
}

function panelMember(
  world: World,
  { learners }: ResolvedVariant,
  panel: PanelName,
  member: Pick<PanelMember, 'name' | 'simulator' | 'weight' | 'randomization'>,
): PanelMember {
  const { name, simulator, weight, randomization } = member;
  const hash = simulatorHash(world, simulator);
  return {
    panel,
    name,
    simulator,
    simulatorHash: hash,
    referenceHash: contentHash({ simulator: hash, randomization, learners: world.cooperative ? null : learners }),
    weight,
    randomization,
  };
}

/** Plays a checkpoint on every member, and chance on those where nobody has played it yet. */
export async function evaluateMembers(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { panels, session, episodes }: { panels: readonly PanelMember[]; session: SessionState; episodes: number },
): Promise<{ evaluations: EvaluationRecord[]; scores: CollapseScores }> {
  const { resolved } = attempt.run;
  const world = openWorld(resolved, dependencies.registries);
  const request: EvaluateRequest = {
    ...session,
    player: 'policy',
    member: leaderOf(session.members),
    simulators: panels.map(({ simulator, randomization }) => ({ simulator, randomization })),
    episodes,
    mode: resolved.evaluation.policy_mode,
  };
  const played = await attempt.compute<EvaluateResponse>('evaluate', request);
  const references = await referenceReturns(dependencies, attempt, session, panels);
  const divergences = visitationDivergences(panels, played);
  const scored = panels.map(({ weight, referenceHash }, index): ScoredSimulator => ({
    weight,
    returns: played[index]!.episodes.map((outcome) => outcome.return),
    randomReturns: references.get(referenceHash)!,
    visitationDivergence: divergences[index]!,
  }));
  const panel = (name: PanelName): ScoredSimulator[] => scored.filter((_, index) => panels[index]!.panel === name);
  return {
    evaluations: panels.map((member, index) =>
      evaluationRecord(member, played[index]!, { world, visitationDivergence: divergences[index]! }),
    ),
    scores: collapseScores(
      { train: panel('train'), validation: panel('validation'), test: panel('test') },
      resolved.verdict,
    ),
  };
}

async function referenceReturns(
  { database }: ActivityDependencies,
  attempt: Attempt,
  session: SessionState,
  members: readonly PanelMember[],
): Promise<Map<string, number[]>> {
  const { seed } = attempt.run.resolved.evaluation;
  const known = new Map<string, number[]>();
  const missing = new Map<string, PanelMember>();
  for (const member of members) {
    const returns = await findReference(database, member.referenceHash, { seed, episodes: REFERENCE_EPISODES });
    if (returns === null) missing.set(member.referenceHash, member);
    else known.set(member.referenceHash, returns);
  }
  if (missing.size === 0) return known;
  const request: EvaluateRequest = {
    ...session,
    player: 'random',
    member: leaderOf(session.members),
    simulators: [...missing.values()].map(({ simulator, randomization }) => ({ simulator, randomization })),
    episodes: REFERENCE_EPISODES,
    mode: 'sampled',
  };
  const played = await attempt.compute<EvaluateResponse>('evaluate', request);
  for (const [index, hash] of [...missing.keys()].entries()) {
    const returns = played[index]!.episodes.map((outcome) => outcome.return);
    await insertReference(database, hash, { seed, returns });
    known.set(hash, returns);
  }
  return known;
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

import type { EvaluationSimulator, SimulatorEvaluation } from '../learning/evaluation.ts';
import type { Behaviour } from '../learning/measures/behaviour.ts';
import type { CheckpointScores } from '../learning/measures/checkpoint-scores.ts';
import { collapseScores, type ScoredSimulator } from '../learning/measures/collapse.ts';
import { visitationDivergence } from '../learning/measures/visitation.ts';
import type { WeightedSimulator } from '../learning/rollout/episode-source.ts';
import { mean, sampleStandardDeviation } from '../learning/statistics/moments.ts';
import type { EvaluationRecord } from '../schemas/records.ts';
import type { PanelName, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import { envStepsOf, type PanelMember } from './panels.ts';

/** Whoever plays what is assessed: a run's process, or this one. */
export interface AssessedPlayer {
  /** By simulator, in the mode of the evaluation. @param episodes of each simulator */
  play(simulators: readonly EvaluationSimulator[], episodes: number): Promise<readonly SimulatorEvaluation[]>;
  /** Returns of the random policy, by reference hash. */
  references(members: readonly PanelMember[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** @param train weights sum to 1 @param gain R − r on it, in units of return */
  behave(train: readonly WeightedSimulator[], gain: number): Promise<Behaviour>;
}

/** What panels are of. */
export interface AssessedVariant {
  readonly world: World;
  readonly resolved: Pick<ResolvedVariant, 'verdict' | 'evaluation' | 'learners'>;
}

/** How a policy does on its panels. */
export interface Assessment {
  readonly evaluations: readonly EvaluationRecord[];
  /** By simulator, in the order of the panels: what its scores were made of. */
  readonly scored: readonly ScoredSimulator[];
  readonly scores: CheckpointScores;
  /** Of the policy, chance not counted. */
  readonly envSteps: number;
}

/** Plays a policy on every simulator of the panels, and has chance played on them. */
export async function assessPanels(
  player: AssessedPlayer,
  { world, resolved }: AssessedVariant,
  { panels, episodes }: { readonly panels: readonly PanelMember[]; readonly episodes: number },
): Promise<Assessment> {
  const played = await player.play(panels, episodes);
  const references = await player.references(panels);
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
  const train = panels.filter((member) => member.panel === 'train');
  const { envSteps, ...behaviour } = await player.behave(sharesOf(train), scores.trainGain!);
  return {
    evaluations: panels.map((member, index) =>
      evaluationRecord(member, played[index]!, { world, visitationDivergence: divergences[index]! }),
    ),
    scored,
    scores: { ...scores, ...behaviour },
    envSteps: envSteps + envStepsOf(played),
  };
}

/** The same with weights that sum to 1. */
function sharesOf(members: readonly PanelMember[]): WeightedSimulator[] {
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  return members.map(({ simulator, randomization, weight }) => ({ simulator, randomization, weight: weight / total }));
}

/** How far each held-out member is from the training pool in what the learners visit; null for the pool itself. */
function visitationDivergences(
  members: readonly PanelMember[],
  played: readonly SimulatorEvaluation[],
): (number | null)[] {
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

import type { SimulatorEvaluation } from '../learning/evaluation.ts';
import { collapseScores, isTrained, type ScoredSimulator } from '../learning/measures/collapse.ts';
import { partnerChanges, ruleChanges } from '../learning/measures/sensitivity-changes.ts';
import { sensitivityEpisodes } from '../learning/measures/sensitivity-episodes.ts';
import { sensitivityRow, type SensitivityRow } from '../learning/measures/sensitivity.ts';
import type { AssessedPlayer, AssessedVariant } from './assess-panels.ts';
import { envStepsOf, type PanelMember } from './panels.ts';

/**
 * The perturbation curve and the partner sweep of a policy on the simulators that it was trained on.
 * @param poolSize simulators of the pool, those included that nobody learns from
 */
export async function assessSensitivity(
  player: AssessedPlayer,
  { world, resolved }: AssessedVariant,
  { train, poolSize }: { readonly train: readonly PanelMember[]; readonly poolSize: number },
): Promise<{ rows: SensitivityRow[]; envSteps: number }> {
  const pool = train.map(({ simulator, weight, randomization }) => ({ simulator, weight, randomization }));
  const changes = [...ruleChanges(world, pool), ...partnerChanges(world, pool, resolved.learners).changes];
  const played = await player.play(
    [...pool, ...changes.flatMap(({ simulators }) => simulators)],
    sensitivityEpisodes(resolved.evaluation.episodes, poolSize),
  );
  const references = await player.references(train);
  const unchanged = train.map(({ weight, referenceHash }, index): ScoredSimulator => ({
    weight,
    returns: returnsOf(played[index]!),
    randomReturns: references.get(referenceHash)!,
    visitationDivergence: null,
  }));
  const gain = collapseScores({ train: unchanged, validation: [], test: [] }, resolved.verdict).trainGain!;
  let next = pool.length;
  const rows = changes.map((change) => {
    const returns = change.simulators.map((_, index) => returnsOf(played[next + index]!));
    next += change.simulators.length;
    return sensitivityRow({ change, returns, pool: unchanged, gain, isTrained: isTrained(unchanged) });
  });
  return { rows, envSteps: envStepsOf(played) };
}

function returnsOf({ episodes }: SimulatorEvaluation): number[] {
  return episodes.map((outcome) => outcome.return);
}

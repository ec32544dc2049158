import { collapseScores, isTrained, type ScoredSimulator } from '../learning/measures/collapse.ts';
import { partnerChanges, ruleChanges } from '../learning/measures/sensitivity-changes.ts';
import { sensitivityEpisodes } from '../learning/measures/sensitivity-episodes.ts';
import { sensitivityRow, type SensitivityRow } from '../learning/measures/sensitivity.ts';
import { openWorld } from '../specification/open-world.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { EvaluatedCheckpoint } from './evaluate-checkpoint.ts';
import { envStepsOf, panelMembers } from './panels.ts';
import { playPolicy } from './play-policy.ts';
import { referenceReturns } from './reference-returns.ts';
import type { EvaluateResponse } from './session-messages.ts';

/** The perturbation curve and the partner sweep of a checkpoint on its training pool. */
export async function measureSensitivity(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  checkpoint: EvaluatedCheckpoint,
): Promise<{ rows: SensitivityRow[]; envSteps: number }> {
  const { resolved } = attempt.run;
  const world = openWorld(resolved, dependencies.registries);
  const train = panelMembers(world, resolved, checkpoint.pool).filter(({ panel }) => panel === 'train');
  const pool = train.map(({ simulator, weight, randomization }) => ({ simulator, weight, randomization }));
  const changes = [...ruleChanges(world, pool), ...partnerChanges(world, pool, resolved.learners).changes];
  const played = await playPolicy(attempt, checkpoint.session, {
    simulators: [...pool, ...changes.flatMap(({ simulators }) => simulators)],
    episodes: sensitivityEpisodes(resolved.evaluation.episodes, checkpoint.pool.entries.length),
    mode: resolved.evaluation.policy_mode,
  });
  const references = await referenceReturns(dependencies, attempt, checkpoint.session, train);
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

function returnsOf({ episodes }: EvaluateResponse[number]): number[] {
  return episodes.map((outcome) => outcome.return);
}

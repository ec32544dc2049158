import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { openWorld } from './open-world.ts';
import type { Registries } from './registries.ts';

export interface DecisionSteps {
  /** Env steps of one decision at most, the first of a run apart. */
  readonly each: number;
  /** Decisions of one run while it trains; one more stands before the first round. */
  readonly count: number;
  /** Env steps of all decisions of one run at most. */
  readonly total: number;
}

/**
 * What the decisions of a strategy play at most, in joint steps of one environment: known before anything runs, because
 * a budget that counts them must leave the rest to training.
 *
 *     each  = (members · |validation| · episodes, if it asks for validation returns, + probe episodes) · longest episode
 *     total = probe episodes · longest episode + Σ over due rounds 1 … rounds − 1 of each
 *
 * Before the first round there is nothing to evaluate, but a proposal may be probed. A decision at the last round would
 * have no round left to hold for.
 */
export function decisionSteps(
  variant: ResolvedVariant,
  registries: Pick<Registries, 'families' | 'strategies'>,
): DecisionSteps {
  const { strategy: options, panels, evaluation, budget } = variant;
  const strategy = registries.strategies[options.kind]!;
  const { episodeStepsMax } = openWorld(variant, registries);
  const probes = strategy.probeEpisodesMax(options) * episodeStepsMax;
  const evaluations = strategy.needs(options).includes('validation_returns')
    ? strategy.learnerCount(options) * panels.validation.length * evaluation.episodes * episodeStepsMax
    : 0;
  const each = evaluations + probes;
  let count = 0;
  for (let round = 1; each > 0 && round < budget.rounds; round += 1) count += strategy.isDue(options, round) ? 1 : 0;
  return { each, count, total: probes + count * each };
}

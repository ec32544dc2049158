import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { openWorld } from './open-world.ts';
import type { Registries } from './registries.ts';

export interface DecisionSteps {
  /** Env steps of the dearest decision at most, the first of a run apart. */
  readonly each: number;
  /** Decisions of one run while it trains; one more stands before the first round. */
  readonly count: number;
  /** Env steps of all decisions of one run at most. */
  readonly total: number;
}

/** Who plays the mined episodes: the run's policy, and beside it the random and the scripted one that it is held against. */
const MINING_PLAYERS = 3;

/**
 * What the decisions of a strategy play at most, in joint steps of one environment: known before anything runs, because
 * a budget that counts them must leave the rest to training.
 *
 *     each  = (members · |validation| · episodes, if it asks for validation returns,
 *              + probe episodes + 3 · |validation| · mined episodes, where something is mined) · longest episode
 *     total = probe episodes before the first round · longest episode + Σ over due rounds 1 … rounds − 1 of each
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
  const probes = (round: number) => strategy.probeEpisodesMax(options, round);
  const evaluations = strategy.needs(options).includes('validation_returns')
    ? strategy.learnerCount(options) * panels.validation.length * evaluation.episodes
    : 0;
  const mined = (round: number) =>
    MINING_PLAYERS * panels.validation.length * (strategy.mining(options, round)?.episodes ?? 0);
  const decisions = Array.from({ length: Math.max(0, budget.rounds - 1) }, (_, index) => index + 1)
    .filter((round) => strategy.isDue(options, round))
    .map((round) => (evaluations + probes(round) + mined(round)) * episodeStepsMax);
  const each = Math.max(0, ...decisions);
  const total = decisions.reduce((sum, steps) => sum + steps, probes(0) * episodeStepsMax);
  return { each, count: each === 0 ? 0 : decisions.length, total };
}

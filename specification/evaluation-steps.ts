import { behaviourEpisodes } from '../learning/measures/behaviour-episodes.ts';
import type { WeightedSimulator } from '../learning/rollout/episode-source.ts';
import { partnerChanges, ruleChanges } from '../learning/measures/sensitivity-changes.ts';
import { changeEpisodesMax } from '../learning/measures/sensitivity-episodes.ts';
import type { Evidence, Strategy } from '../learning/strategies/contract.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { SimulatorData } from '../simulators/contract.ts';
import { strategyEvidence } from './evidence.ts';
import { openWorld } from './open-world.ts';
import type { Registries } from './registries.ts';

/** The last and the best checkpoint are evaluated once more when a run ends. */
const FINAL_EVALUATIONS = 2;

/**
 * What evaluating takes at most in one run, in joint steps of one environment: episodes of full length on every simulator
 * at the evaluated rounds and at the end; with sampled actions beside each of these; and at the end on the pool as it is,
 * with each rule scaled, and with each scripted partner.
 *
 *     ((P + |validation| + |test|) · (n · episodes + 2 · final_episodes) + (n + 2) · 8 groups + (1 + changes) · change) · longest
 *
 * P is the largest pool. The random policy's episodes are left out: its returns are shared between runs.
 *
 * @param evaluationCount n, evaluations on the way
 */
export function evaluationSteps(
  variant: ResolvedVariant,
  registries: Pick<Registries, 'families' | 'strategies'>,
  evaluationCount: number,
): number {
  const { evaluation, panels, strategy: options, learners } = variant;
  const world = openWorld(variant, registries);
  const strategy = registries.strategies[options.kind]!;
  const evidence = strategyEvidence(variant, world, 0);
  const poolMax = strategy.playedMax(evidence);
  const simulators = poolMax + panels.validation.length + panels.test.length;
  const examples = poolExamples(strategy, evidence);
  const changes = ruleChanges(world, examples).length + partnerChanges(world, examples, learners).changes.length;
  const episodes =
    simulators * (evaluationCount * evaluation.episodes + FINAL_EVALUATIONS * evaluation.final_episodes) +
    (evaluationCount + FINAL_EVALUATIONS) * behaviourEpisodes(evaluation) +
    (1 + changes) * changeEpisodesMax(evaluation.episodes, poolMax);
  return episodes * world.episodeStepsMax;
}

/**
 * A pool in which every rule can be changed that can be in any pool of the run: what is trained on as it is, and with
 * drawn rules well within their ranges. Two places in a range, because one of them may be 0, which no factor changes.
 */
function poolExamples(strategy: Strategy, evidence: Evidence): WeightedSimulator[] {
  const drawn = strategy
    .varied(evidence)
    .flatMap(({ simulator }) => [1 / 3, 1 / 2].map((share) => withRules(simulator, evidence, share)));
  const simulators = [...evidence.simulators.map(({ simulator }) => simulator), ...drawn];
  return simulators.map((simulator) => ({ simulator, weight: 1 / simulators.length, randomization: {} }));
}

/** Every ranged rule at a share of the way through its range. */
function withRules(simulator: SimulatorData, { randomization }: Evidence, share: number): SimulatorData {
  const rules = Object.entries(randomization).flatMap(([path, [low, high]]) =>
    path.startsWith('rules.') ? [[path.slice('rules.'.length), low + share * (high - low)] as const] : [],
  );
  return { ...simulator, rules: { ...simulator.rules, ...Object.fromEntries(rules) } };
}

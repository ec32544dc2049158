import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { behaviourEpisodes } from '../learning/measures/behaviour-episodes.ts';
import { partnerChanges, ruleChanges } from '../learning/measures/sensitivity-changes.ts';
import { sensitivityEpisodes } from '../learning/measures/sensitivity-episodes.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { COSTLY_REGISTRIES } from '../test/support/costly-strategy.ts';
import { weighted } from '../test/support/small-learning.ts';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { decideThroughRun } from '../test/support/strategy-history.ts';
import { SITUATIONS } from '../test/support/strategy-situation.ts';
import { decisionSteps } from './decision-steps.ts';
import { strategyEvidence } from './evidence.ts';
import { openWorld } from './open-world.ts';
import { isEvaluated, planExperiment, roundSchedule } from './plan.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

const EXAMPLE = resolved(specDocument()).variants.pool!;

const scheduleOf = (envSteps: number, rounds: number) =>
  roundSchedule({ ...EXAMPLE, budget: { env_steps: envSteps, rounds, count: 'training' } }, DEFAULT_REGISTRIES);

describe('the schedule of rounds', () => {
  test('does every update once, at least one a round, and rounds differ by one at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 200 }), (envSteps, rounds) => {
        const { blockSteps, updateCount, updatesOfRound } = scheduleOf(envSteps, rounds);
        expect(updatesOfRound).toHaveLength(rounds);
        expect(updatesOfRound.reduce((sum, updates) => sum + updates, 0)).toBe(updateCount);
        expect(Math.min(...updatesOfRound)).toBeGreaterThanOrEqual(1);
        expect(Math.max(...updatesOfRound) - Math.min(...updatesOfRound)).toBeLessThanOrEqual(1);
        if (updateCount > rounds)
          expect(Math.abs(updateCount * blockSteps - envSteps)).toBeLessThanOrEqual(blockSteps / 2);
      }),
    );
  });

  test('has as many updates as whole blocks are nearest to the steps asked for', () => {
    expect(scheduleOf(1_000_000, 20)).toMatchObject({ blockSteps: 256 * 25, updateCount: 156 });
    expect(scheduleOf(1, 20).updateCount).toBe(20);
  });
});

test('evaluated are the start, every so many rounds, and the end', () => {
  const variant = { ...resolved(specDocument()).variants.frozen! };
  const completed = Array.from({ length: variant.budget.rounds + 1 }, (_, round) => round);
  expect(variant.evaluation.every_rounds).toBe(2);
  expect(completed.filter((round) => isEvaluated(variant, round))).toEqual([0, 2, 4, 5]);
});

/** Changes of rules and partners on a pool of some simulators of a variant. */
function changesOf(variant: ResolvedVariant, names: readonly string[]): number {
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const pool = names.map((name) => weighted(variant.simulators[name]!));
  return ruleChanges(world, pool).length + partnerChanges(world, pool, variant.learners).changes.length;
}

describe('a plan', () => {
  const experiment = resolved(specDocument());

  test('tells what each variant would cost', () => {
    const { variants, runs, env_steps } = planExperiment(experiment, DEFAULT_REGISTRIES, null);
    const steps = roundSchedule(experiment.variants.pool!, DEFAULT_REGISTRIES).updateCount * 256 * 25;
    expect(variants.map(({ name }) => name)).toEqual(['frozen', 'pool']);
    // Two of the pool, one of validation, one of test; four evaluations and two final ones.
    const simulators = 4 * (4 * 10 + 2 * 320);
    const behaviour = (4 + 2) * 256;
    // The two of the pool as they are and with every change, in ten episodes each.
    const sensitivity = 2 * (1 + changesOf(experiment.variants.pool!, ['zero', 'left'])) * 10;
    expect(variants[1]).toMatchObject({
      name: 'pool',
      samplers: 1,
      runs: 2,
      rounds: 5,
      updates: 16,
      env_steps_asked: 100_000,
      env_steps: steps,
      decision_env_steps: 0,
      counted_env_steps: steps,
      evaluation_env_steps: (simulators + behaviour + sensitivity) * 25,
      estimated_s: null,
    });
    expect(runs).toBe(4);
    expect(env_steps).toBe(4 * steps);
  });

  test('tells what decisions take, and counts it where the budget does', () => {
    const costly = {
      ...EXAMPLE,
      strategy: { ...EXAMPLE.strategy, kind: 'costly', every_rounds: 1, members: 2, probes: 1 },
    };
    const counting = { ...costly, budget: { ...EXAMPLE.budget, count: 'all' as const } };
    const plan = planExperiment({ ...experiment, variants: { costly, counting } }, COSTLY_REGISTRIES, null);
    const decisions = decisionSteps(costly, COSTLY_REGISTRIES).total;
    expect(decisions).toBeGreaterThan(0);
    const counted = plan.variants.map((variant) => variant.counted_env_steps - variant.env_steps);
    expect(counted).toEqual([0, decisions]);
    expect(plan.variants.map((variant) => variant.decision_env_steps)).toEqual([decisions, decisions]);
  });

  test('says no less than evaluating takes on the largest pools that are decided, whatever the strategy', () => {
    // As written nothing scales the damping of what is trained on; a draw of it is scaled by every factor.
    const randomization = { 'rules.damping': [0, 1] };
    const base = specDocument();
    const still = { rules: { damping: 0 } };
    const { zero, left } = base.simulators;
    const simulators = { ...base.simulators, zero: { ...zero, ...still }, left: { ...left, ...still } };
    const options: Readonly<Record<string, object>> = {
      frozen: { simulator: 'zero' },
      pool: { size: 5 },
      domain_randomization: { simulator: 'left' },
      random_generator: { size: 3, added: 1 },
      adaptive: { size: 4, added: 3 },
    };
    for (const [kind, written] of Object.entries(options)) {
      const document = { ...base, simulators, randomization, variants: { one: { strategy: { kind, ...written } } } };
      const { variants } = resolved(document);
      const variant = variants.one!;
      const world = openWorld(variant, DEFAULT_REGISTRIES);
      const { episodes, final_episodes: finals } = variant.evaluation;
      const start = strategyEvidence(variant, world, 0);
      const strategy = DEFAULT_REGISTRIES.strategies[kind]!;
      const steps = decideThroughRun(strategy, { start, situation: SITUATIONS.spread, seed: 1 });
      const planned = planExperiment({ ...experiment, variants }, DEFAULT_REGISTRIES, null).variants[0]!;
      for (const { decision } of steps) {
        const pool = decision.pool.filter(({ learns }) => learns);
        const changes = [...ruleChanges(world, pool), ...partnerChanges(world, pool, variant.learners).changes];
        const changed = pool.length + changes.reduce((sum, { simulators }) => sum + simulators.length, 0);
        const played =
          (pool.length + 2) * (4 * episodes + 2 * finals) +
          6 * behaviourEpisodes(variant.evaluation) +
          changed * sensitivityEpisodes(episodes, decision.pool.length);
        expect(played * world.episodeStepsMax).toBeLessThanOrEqual(planned.evaluation_env_steps);
      }
    }
  });

  test('estimates time and memory from the runs at the same time', () => {
    const speed = { training: 10_000, evaluation: 100_000 };
    const plan = planExperiment(experiment, DEFAULT_REGISTRIES, speed);
    const seconds = plan.variants.map((variant) => variant.runs * variant.estimated_s!);
    const [frozen] = plan.variants;
    expect(frozen!.estimated_s).toBeCloseTo(
      frozen!.env_steps / speed.training + frozen!.evaluation_env_steps / speed.evaluation,
    );
    expect(plan.estimated_s).toBeCloseTo((seconds[0]! + seconds[1]!) / experiment.execution.max_concurrent_runs);
    expect(plan.memory_mib).toBe(experiment.execution.max_concurrent_runs * experiment.execution.memory_mib);
  });
});

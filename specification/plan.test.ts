import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COSTLY_REGISTRIES } from '../test/support/costly-strategy.ts';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { decisionSteps } from './decision-steps.ts';
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

describe('a plan', () => {
  const experiment = resolved(specDocument());

  test('tells what each variant would cost', () => {
    const { variants, runs, env_steps } = planExperiment(experiment, DEFAULT_REGISTRIES, null);
    const steps = roundSchedule(experiment.variants.pool!, DEFAULT_REGISTRIES).updateCount * 256 * 25;
    expect(variants.map(({ name }) => name)).toEqual(['frozen', 'pool']);
    // Two of the pool, one of validation, one of test; four evaluations and two final ones.
    const simulators = 4 * (4 * 10 + 2 * 320);
    const behaviour = (4 + 2) * 256;
    // Seven rules, four times each, and eleven scripted partners, on the two of the pool.
    const sensitivity = 2 * (4 * 7 + 11) * 10;
    expect(variants[1]).toEqual({
      name: 'pool',
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

  test('takes a pool to be as large as what the strategy names, times its size', () => {
    const evaluationOf = (strategy: Record<string, unknown>): number => {
      const variant = { ...EXAMPLE, strategy: { kind: 'costly', every_rounds: 9, members: 1, probes: 0, ...strategy } };
      const plan = planExperiment({ ...experiment, variants: { variant } }, COSTLY_REGISTRIES, null);
      return plan.variants[0]!.evaluation_env_steps;
    };
    const one = evaluationOf({});
    const step = evaluationOf({ size: 2 }) - one;
    expect(step).toBeGreaterThan(0);
    expect(evaluationOf({ simulator: 'zero' })).toBe(one);
    expect(evaluationOf({ simulators: ['zero', 'left'] })).toBe(one + step);
    expect(evaluationOf({ simulators: ['zero', 'left'], size: 3 })).toBe(one + 5 * step);
    // A size of learners is none of simulators.
    expect(evaluationOf({ size: 4, members: 4 })).toBe(one);
  });

  test('estimates time and memory from the runs at the same time', () => {
    const speed = { training: 10_000, evaluation: 100_000 };
    const plan = planExperiment(experiment, DEFAULT_REGISTRIES, speed);
    const seconds = plan.variants.map((variant) => variant.runs * variant.estimated_s!);
    expect(plan.estimated_s).toBeCloseTo((seconds[0]! + seconds[1]!) / experiment.execution.max_concurrent_runs);
    expect(plan.memory_mib).toBe(experiment.execution.max_concurrent_runs * experiment.execution.memory_mib);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { isEvaluated, planExperiment, roundSchedule } from './plan.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

const variantWith = (envSteps: number, rounds: number, environments = 256, steps = 25) => ({
  algorithm: { name: 'ippo', parallel_environments: environments, rollout_steps: steps },
  budget: { env_steps: envSteps, rounds, count: 'training' as const },
});

describe('the schedule of rounds', () => {
  test('does every update once, at least one a round, and rounds differ by one at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 200 }), (envSteps, rounds) => {
        const { blockSteps, updateCount, updatesOfRound } = roundSchedule(variantWith(envSteps, rounds));
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
    expect(roundSchedule(variantWith(1_000_000, 20))).toMatchObject({ blockSteps: 256 * 25, updateCount: 156 });
    expect(roundSchedule(variantWith(1, 20)).updateCount).toBe(20);
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
    const steps = roundSchedule(experiment.variants.pool!).updateCount * 256 * 25;
    expect(variants.map(({ name }) => name)).toEqual(['frozen', 'pool']);
    expect(variants[1]).toEqual({
      name: 'pool',
      runs: 2,
      rounds: 5,
      updates: 16,
      env_steps_asked: 100_000,
      env_steps: steps,
      // Two of the pool, one of validation, one of test; four evaluations and two final ones.
      evaluation_env_steps: 4 * (4 * 10 + 2 * 320) * 25,
      estimated_s: null,
    });
    expect(runs).toBe(4);
    expect(env_steps).toBe(4 * steps);
  });

  test('estimates time and memory from the runs at the same time', () => {
    const speed = { training: 10_000, evaluation: 100_000 };
    const plan = planExperiment(experiment, DEFAULT_REGISTRIES, speed);
    const seconds = plan.variants.map((variant) => variant.runs * variant.estimated_s!);
    expect(plan.estimated_s).toBeCloseTo((seconds[0]! + seconds[1]!) / experiment.execution.max_concurrent_runs);
    expect(plan.memory_mib).toBe(experiment.execution.max_concurrent_runs * experiment.execution.memory_mib);
  });
});

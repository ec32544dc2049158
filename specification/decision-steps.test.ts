import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { COSTLY_REGISTRIES } from '../test/support/costly-strategy.ts';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { checkBudget } from './check-budget.ts';
import { decisionSteps } from './decision-steps.ts';
import { openWorld } from './open-world.ts';
import { roundSchedule } from './plan.ts';
import { resolveExperiment } from './resolve.ts';

const EXAMPLE = resolved(specDocument()).variants.pool!;
const STEPS_MAX = openWorld(EXAMPLE, COSTLY_REGISTRIES).episodeStepsMax;

interface Costs {
  readonly every_rounds?: number;
  readonly members?: number;
  readonly probes?: number;
}

function costly(costs: Costs, budget: Partial<ResolvedVariant['budget']> = {}): ResolvedVariant {
  const strategy = { kind: 'costly', size: 2, weights: null, every_rounds: 1, members: 0, probes: 0, ...costs };
  return { ...EXAMPLE, strategy, budget: { ...EXAMPLE.budget, count: 'all', ...budget } };
}

const stepsOf = (costs: Costs, budget = {}) => decisionSteps(costly(costs, budget), COSTLY_REGISTRIES);

describe('the env steps of decisions', () => {
  test('are those of the evaluations of every member and of the probes, in episodes of full length', () => {
    const validation = EXAMPLE.panels.validation.length * EXAMPLE.evaluation.episodes;
    expect(stepsOf({ members: 4 }).each).toBe(4 * validation * STEPS_MAX);
    expect(stepsOf({ probes: 30 }).each).toBe(30 * STEPS_MAX);
    expect(stepsOf({ members: 1, probes: 30 }).each).toBe((validation + 30) * STEPS_MAX);
  });

  test('count at every due round but the last, and before the first only probes', () => {
    const rounds = 10;
    for (const every of [1, 2, 3, 5, 10, 11]) {
      const { each, count, total } = stepsOf({ every_rounds: every, members: 2, probes: 3 }, { rounds });
      let due = 0;
      for (let round = 1; round < rounds; round += 1) due += Number(round % every === 0);
      expect(count).toBe(due);
      expect(total).toBe(3 * STEPS_MAX + due * each);
    }
  });

  test('are none where a strategy asks for nothing', () => {
    expect(decisionSteps(EXAMPLE, COSTLY_REGISTRIES)).toEqual({ each: 0, count: 0, total: 0 });
  });
});

const anyCosts = fc.record({
  every_rounds: fc.integer({ min: 1, max: 30 }),
  members: fc.integer({ min: 0, max: 8 }),
  probes: fc.integer({ min: 0, max: 500 }),
});
const anyBudget = fc.record({
  env_steps: fc.integer({ min: 1, max: 5_000_000 }),
  rounds: fc.integer({ min: 1, max: 60 }),
});

describe('a budget that counts all', () => {
  test('is never exceeded by more than a block, or it is refused', () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(anyCosts, anyBudget, (costs, budget) => {
        const variant = costly(costs, budget);
        const { blockSteps, updateCount, updatesOfRound } = roundSchedule(variant, COSTLY_REGISTRIES);
        const { total } = decisionSteps(variant, COSTLY_REGISTRIES);
        if (checkBudget(variant, COSTLY_REGISTRIES).length > 0) {
          refused += 1;
          expect((budget.rounds - 0.5) * blockSteps + total).toBeGreaterThan(budget.env_steps);
          return;
        }
        accepted += 1;
        expect(updateCount * blockSteps + total).toBeLessThanOrEqual(budget.env_steps + blockSteps);
        expect(updateCount * blockSteps + total).toBeGreaterThanOrEqual(budget.env_steps - blockSteps);
        expect(Math.min(...updatesOfRound)).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 80 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(5);
  });

  test('leaves as much less to train on as decisions take, and one that counts training leaves all', () => {
    const costs = { members: 4 };
    const updates = (variant: ResolvedVariant) => roundSchedule(variant, COSTLY_REGISTRIES).updateCount;
    const budget = { env_steps: 1_000_000, rounds: 20 };
    const { total } = decisionSteps(costly(costs, budget), COSTLY_REGISTRIES);
    const block = roundSchedule(EXAMPLE, COSTLY_REGISTRIES).blockSteps;
    expect(updates(costly(costs, budget))).toBe(Math.round((budget.env_steps - total) / block));
    expect(updates(costly(costs, { ...budget, count: 'training' }))).toBe(Math.round(budget.env_steps / block));
    expect(checkBudget(costly(costs, { env_steps: 1, count: 'training' }), COSTLY_REGISTRIES)).toEqual([]);
  });

  test('that leaves nothing to train on is refused where it is written', () => {
    const document = specDocument();
    const strategy = { kind: 'costly', members: 1, probes: 30 };
    const budget = { env_steps: 30_000, rounds: 5, count: 'all' };
    const context = { fileName: 'example.json', registries: COSTLY_REGISTRIES };
    const all = { ...document, variants: { costly: { strategy } }, budget };
    expect(resolveExperiment(all, context)).toMatchObject({ ok: false, problems: [{ path: 'budget.env_steps' }] });
    const one = { ...document, variants: { ...document.variants, costly: { strategy, budget } } };
    expect(resolveExperiment(one, context)).toMatchObject({
      ok: false,
      problems: [{ path: 'variants.costly.budget.env_steps' }],
    });
    const counted = { ...all, budget: { ...budget, count: 'training' } };
    expect(resolveExperiment(counted, context)).toMatchObject({ ok: true });
  });
});

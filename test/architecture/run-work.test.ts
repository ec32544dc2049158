import { describe, expect, it } from 'vitest';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { runWork } from '../../specification/run-work.ts';
import { stepsFrom } from '../../workflows/round-schedule.ts';
import { resolved, specDocument } from '../support/spec-document.ts';

const failureDriven = { kind: 'failure_driven', size: 2, added: 1, every_rounds: 3, mining: { every_rounds: 3 } };
const document = specDocument();
const experiment = resolved({
  ...document,
  variants: { ...document.variants, failure_driven: { strategy: failureDriven } },
  budget: { env_steps: 100_000, rounds: 7 },
});

describe('what progress counts as the work of a run', () => {
  it.each(Object.entries(experiment.variants))('is what its workflow does: %s', (_name, variant) => {
    const { budget, evaluation, strategy } = variant;
    const rule = DEFAULT_REGISTRIES.strategies[strategy.kind]!;
    const adaptRounds = Array.from({ length: budget.rounds }, (_, round) => round).filter(
      (round) => round === 0 || rule.isDue(strategy, round),
    );
    const schedule = { roundCount: budget.rounds, evaluateEveryRounds: evaluation.every_rounds, adaptRounds };
    const counted = runWork(variant, DEFAULT_REGISTRIES).steps.map(({ kind, round }) => ({
      kind: kind === 'first_pool' ? 'adapt_pool' : kind,
      round,
    }));
    expect(counted).toEqual(stepsFrom(schedule, 0));
  });
});

import { describe, expect, it } from 'vitest';
import { resolved, specDocument } from '../../test/support/spec-document.ts';
import { specChanges, submissionChanges } from './submission-changes.ts';

const stored = resolved(specDocument());

it('names each place that says something else, and what', () => {
  expect(submissionChanges(stored, resolved(specDocument()))).toEqual([]);
  const overrides = [
    'execution.timeouts.round="20m"',
    'labels.paper="draft"',
    'variants.pool.diversity.metric="trajectory_kl"',
  ];
  expect(submissionChanges(stored, resolved(specDocument(), overrides))).toEqual([
    'labels.paper nothing → "draft"',
    `execution.timeouts.round "${stored.execution.timeouts.round}" → "20m"`,
    `variants.pool.diversity.metric "${stored.variants.pool!.diversity.metric}" → "trajectory_kl"`,
  ]);
});

describe('what an experiment can take over', () => {
  const changesOf = (...overrides: string[]) => specChanges(stored, resolved(specDocument(), overrides));

  it('is how it is carried out, and seeds after its own', () => {
    expect(changesOf()).toEqual({ accepted: [], changesExecution: false, appendedSeeds: [], refused: [] });
    const { memory_mib: before } = stored.execution;
    expect(changesOf('execution.memory_mib=4096', 'seeds=[0,1,7,5]')).toEqual({
      accepted: [`execution.memory_mib ${before} → 4096`],
      changesExecution: true,
      appendedSeeds: [7, 5],
      refused: [],
    });
  });

  it('is who hears of its end', () => {
    const { accepted, changesExecution, refused } = changesOf('execution.notify={"url":"https://example.org/hook"}');
    expect([changesExecution, refused]).toEqual([true, []]);
    expect(accepted.join()).toMatch(/^execution\.notify.* nothing → .*https:\/\/example\.org\/hook/);
  });

  it('is nothing that another result could come of: a change in all variants is told once, others by variant', () => {
    expect(changesOf('budget.rounds=6', 'variants.pool.budget.env_steps=200000', 'seeds=[1,0]', 'name=other')).toEqual({
      accepted: ['output_dir "results/example" → "results/other"'],
      changesExecution: false,
      appendedSeeds: [],
      refused: [
        'name "example" → "other"',
        'seeds [0,1] → [1,0]',
        'budget.rounds 5 → 6',
        'variants.pool.budget.env_steps 100000 → 200000',
      ],
    });
    expect(changesOf('seeds=[0]').refused).toEqual(['seeds [0,1] → [0]']);
  });
});

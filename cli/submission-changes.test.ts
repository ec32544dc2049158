import { expect, it } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { submissionChanges } from './submission-changes.ts';

it('names each place that says something else, and what', () => {
  const stored = resolved(specDocument());
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

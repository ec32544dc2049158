import { describe, expect, it } from 'vitest';
import { resultRow } from '../test/support/result-row.ts';
import { comparabilityText } from './comparability.ts';

const costs = { training: 700, scoring: 300, mining: 50, evaluation: 4000 };
const all = { env_steps: 1000, rounds: 5, count: 'all' as const };

describe('the caption', () => {
  it('says at equal what runs are compared', () => {
    expect(comparabilityText([resultRow()])).toBe('Runs are compared at equal training steps.');
    expect(comparabilityText([resultRow({ budget: all })])).toContain(
      'equal total steps: training, scoring and mining',
    );
  });

  it('does not call equal what is not', () => {
    const mixed = [resultRow(), resultRow({ variant: 'other', budget: all })];
    const longer = [resultRow(), resultRow({ variant: 'other', budget: { ...resultRow().budget, env_steps: 2000 } })];
    for (const rows of [mixed, longer]) expect(comparabilityText(rows)).toMatch(/^Budgets differ in/);
  });

  it('names the mean total of the variants that played more than their training loop', () => {
    const rows = [
      resultRow({ variant: 'pool' }),
      resultRow({ variant: 'miner', seed: 0, costs }),
      resultRow({ variant: 'miner', seed: 1, costs: { ...costs, mining: 150 } }),
      resultRow({ variant: 'miner', seed: 2, state: 'QUEUED', costs: null }),
    ];
    expect(comparabilityText(rows)).toMatch(/With scoring and mining a run took: miner 1 100\.$/);
  });
});

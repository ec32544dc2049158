import { describe, expect, it } from 'vitest';
import { resultRow } from '../../test/support/result-row.ts';
import { comparabilityText } from './comparability.ts';

/** Of the 1000 steps of the training loop, 300 were only scored. */
const costs = { training: 700, scoring: 300, mining: 0, evaluation: 4000 };
const mining = { training: 1000, scoring: 0, mining: 50, evaluation: 4000 };
const all = { env_steps: 1000, rounds: 5, count: 'all' as const };

describe('the caption', () => {
  it('says at equal what runs are compared', () => {
    expect(comparabilityText([resultRow()])).toBe('Runs are compared at equal training steps.');
    expect(comparabilityText([resultRow({ budget: all })])).toContain(
      'equal total steps: training, scoring and mining',
    );
  });

  it('calls equal the steps of the training loop, not those trained on, where some episodes were only scored', () => {
    const scoring = resultRow({ variant: 'adaptive', costs });
    expect(comparabilityText([scoring])).toBe(
      'Runs are compared at equal steps of the training loop; of these, adaptive learnt from 70 %.',
    );
    const other = resultRow({ variant: 'miner', costs: { ...costs, training: 900, scoring: 100 } });
    expect(comparabilityText([resultRow(), scoring, other])).toBe(
      'Runs are compared at equal steps of the training loop; of these, adaptive learnt from 70 %, miner learnt from 90 %.',
    );
    const longer = resultRow({ budget: { ...resultRow().budget, env_steps: 2000 } });
    expect(comparabilityText([longer, scoring])).toMatch(/^Budgets differ .* loop, adaptive learnt from 70 %\.$/);
  });

  it('does not call equal what is not', () => {
    const mixed = [resultRow(), resultRow({ variant: 'other', budget: all })];
    const longer = [resultRow(), resultRow({ variant: 'other', budget: { ...resultRow().budget, env_steps: 2000 } })];
    for (const rows of [mixed, longer]) expect(comparabilityText(rows)).toMatch(/^Budgets differ in/);
  });

  it('names the mean total of the variants that played more than their training loop', () => {
    const rows = [
      resultRow({ variant: 'pool' }),
      resultRow({ variant: 'miner', seed: 0, costs: mining }),
      resultRow({ variant: 'miner', seed: 1, costs: { ...mining, mining: 150 } }),
      resultRow({ variant: 'miner', seed: 2, state: 'QUEUED', costs: null }),
    ];
    expect(comparabilityText(rows)).toBe(
      'Runs are compared at equal training steps. With scoring and mining a run took: miner 1 100.',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { expectFitting, viewOf, type ResultsOptions } from './results-options.ts';

const chosen = (options: Partial<ResultsOptions>) => {
  const given: ResultsOptions = { output: 'table', ...options };
  const view = viewOf(given);
  expectFitting(view, given);
  return view;
};

describe('what `results` shows', () => {
  it('is what an option names, and a row a run for those who choose columns or an order', () => {
    expect(chosen({})).toBe('overview');
    expect(chosen({ where: ['seed=0'] })).toBe('overview');
    expect(chosen({ sort: ['-heldout_return'] })).toBe('runs');
    expect(chosen({ columns: ['verdict'] })).toBe('runs');
    expect(chosen({ columns: ['mean'], fold: true })).toBe('fold');
    expect(chosen({ curve: true, sort: ['round'] })).toBe('curve');
    expect(chosen({ per: 'simulator', fold: true, panel: 'test', round: 'best' })).toBe('per simulator');
  });

  it('takes several metrics where there is room for them', () => {
    const metric = ['heldout_return', 'train_return'];
    for (const shape of ['runs', 'long', 'fold'] as const) expect(chosen({ metric, [shape]: true })).toBe(shape);
    expect(() => chosen({ metric })).toThrow(/shows one metric, not heldout_return, train_return/);
    expect(() => chosen({ metric, wide: true })).toThrow(/one metric/);
  });

  it('refuses an option that says nothing of it', () => {
    expect(() => chosen({ curve: true, metric: ['heldout_return'] })).toThrow(/--metric says nothing of what --curve/);
    expect(() => chosen({ sensitivity: true, round: 'best' })).toThrow(/--round says nothing/);
    expect(() => chosen({ long: true, spread: 'interval' })).toThrow(/--spread says nothing/);
    expect(() => chosen({ per: 'simulator', by: ['seed'] })).toThrow(/--by says nothing/);
  });
});

import { describe, expect, it } from 'vitest';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { confidenceInterval, groupRows, summarize, verdictCounts } from './result-summary.ts';

const failed = resultRow({ seed: 9, state: 'FAILED', last: null, best: null });
const returns = [-11, -12, -10, -13, -9];
const five = returns.map((heldoutReturn, seed) => resultRow({ seed, last: scores({ heldoutReturn }) }));

describe('the summary of a metric', () => {
  it('counts the runs that have a value and those that should', () => {
    expect(summarize([...five, failed], 'heldout_return')).toMatchObject({
      n: returns.length,
      nExpected: returns.length + 1,
      mean: returns.reduce((sum, value) => sum + value, 0) / returns.length,
    });
    expect(summarize([failed], 'heldout_return')).toEqual({
      n: 0,
      nExpected: 1,
      mean: null,
      iqm: null,
      std: null,
    });
  });

  it('[P78] has an interval around the mean from five runs on', () => {
    for (const metric of ['heldout_return', 'attempts']) {
      const rows = five.map((row, index) => ({ ...row, attempts: index }));
      const { mean } = summarize(rows, metric);
      const [low, high] = confidenceInterval(rows, metric)!;
      expect(low).toBeLessThan(mean!);
      expect(high).toBeGreaterThan(mean!);
    }
    expect(confidenceInterval(five.slice(1), 'heldout_return')).toBeNull();
    expect(confidenceInterval([...five, resultRow({ last: scores({ heldoutStd: NaN }) })], 'heldout_std')).toBeNull();
  });

  it('of best_ columns describes the checkpoint that was best on validation', () => {
    const [row] = five;
    expect(summarize([row!], 'best_heldout_return').mean).toBe(row!.best!.heldoutReturn);
  });

  it('of the relative gap pools the gains of all runs, those that learnt nothing included', () => {
    const trained = resultRow({ last: scores({ trainGain: 8, heldoutGain: 2, relativeGap: 0.75 }) });
    const untrained = resultRow({ last: scores({ trainGain: 2, heldoutGain: 2, relativeGap: NaN }) });
    expect(summarize([trained, untrained], 'relative_gap')).toMatchObject({ n: 2, mean: 1 - 4 / 10, iqm: 0.75 });
    expect(summarize([untrained, untrained], 'relative_gap').mean).toBeNaN();
  });

  it('is NaN when a value is, and does not hide it', () => {
    const unknown = resultRow({ last: scores({ heldoutStd: NaN }) });
    expect(summarize([...five, unknown], 'heldout_std').mean).toBeNaN();
  });
});

describe('verdicts and groups', () => {
  it('are counted, worst first', () => {
    const healthy = resultRow({ last: scores({ verdict: 'healthy' }) });
    expect(verdictCounts([healthy, ...five, failed])).toBe(`${five.length} collapsed, 1 healthy`);
  });

  it('come in the order of their first appearance', () => {
    const rows = [resultRow({ variant: 'z' }), resultRow({ variant: 'a' }), resultRow({ variant: 'z', seed: 1 })];
    expect([...groupRows(rows, (row) => row.variant)].map(([name, group]) => [name, group.length])).toEqual([
      ['z', 2],
      ['a', 1],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { resultsDocument } from '../../learning/results/results-document.ts';
import { sortedBy } from '../../learning/results/shapes/shape.ts';
import { resultsText } from './results-table.ts';
import { resultsIn } from './show-results.ts';

const rows = [
  resultRow({ variant: 'frozen', seed: 0, last: scores({ relativeGap: NaN, verdict: 'untrained' }) }),
  resultRow({ variant: 'frozen', seed: 1, state: 'FAILED', last: null, best: null, reason: 'it "broke", twice' }),
  resultRow({ variant: 'pool', seed: 0 }),
  resultRow({ variant: 'pool', seed: 1, state: 'RUNNING', last: null, best: null }),
];
const set = {
  experiment: { id: 'example-1', name: 'example', version: 2, resultHash: 'abc' },
  rows,
  digest: 'def',
};

interface ResultsJson {
  readonly experiment: unknown;
  readonly rows: readonly Record<string, unknown>[];
  readonly variants: readonly unknown[];
}

describe('the results table', () => {
  const text = resultsText(set, 'heldout_return', ['seed', 'variant']);

  it('shows every run, with its state where it has no value', () => {
    const line = text.split('\n').find((each) => each.startsWith('1 '));
    expect(line).toContain('FAILED');
    expect(line).toContain('RUNNING');
  });

  it('shows train, held-out, worst, random and n together with the gap, and why runs failed', () => {
    const pool = text.split('\n').find((each) => each.startsWith('pool'))!;
    const { trainReturn, heldoutReturn, worstHeldout, heldoutGain } = scores();
    for (const value of [trainReturn, heldoutReturn, worstHeldout, heldoutReturn! - heldoutGain!]) {
      expect(pool).toContain(value!.toFixed(2));
    }
    expect(pool).toContain('1/2');
    expect(text).toContain('frozen/1  FAILED: it "broke", twice');
  });

  it('tells at equal what runs are compared', () => {
    expect(text).toContain('Runs are compared at equal training steps.');
  });

  it('has the return of those that trained on the test panel under the table, and no state for what they lack', () => {
    const specialist = { variant: 'specialist.panel', specialist: 'panel' as const };
    const returns = [-8, -9];
    const bound = returns.map((trainReturn, seed) =>
      resultRow({ ...specialist, seed, last: scores({ trainReturn, heldoutReturn: null }) }),
    );
    const unfinished = resultRow({ ...specialist, seed: 2, state: 'RUNNING', last: null, best: null });
    const withBound = resultsText({ ...set, rows: [...rows, ...bound, unfinished] }, 'heldout_return', [
      'seed',
      'variant',
    ]);
    expect(withBound).toMatch(/^trained on the test panel itself: -8\.50 ± 0\.71 \(n 2\)$/m);
    expect(withBound).not.toContain('SUCCEEDED ');
    expect(text).not.toContain('test panel itself');
  });

  it('by one key summarizes over the other', () => {
    const byVariant = resultsText(set, 'heldout_return', ['variant']);
    expect(byVariant).toMatch(/^pool +1\/2 +-11\.00/m);
  });
});

describe('results as JSON', () => {
  const document = JSON.parse(
    resultsIn(set, { metric: 'relative_gap', by: ['variant'], format: 'json' }),
  ) as ResultsJson;

  it('[P82] have every run with every column, NaN as text and what is not measured as null', () => {
    expect(document.rows).toHaveLength(rows.length);
    expect(document.rows[0]).toMatchObject({
      variant: 'frozen',
      seed: 0,
      relative_gap: 'NaN',
      verdict: 'untrained',
    });
    expect(document.rows[1]).toMatchObject({ state: 'FAILED', heldout_return: null, best_heldout_return: null });
    expect(document.rows[2]).toMatchObject({ heldout_return: -11, best_heldout_return: -10 });
    expect(Object.keys(document.rows[1]!)).toEqual(Object.keys(document.rows[2]!));
  });

  it('[P37] say which experiment, how many runs in which state, and how many of a variant count', () => {
    expect(document.experiment).toEqual({
      id: 'example-1',
      name: 'example',
      version: 2,
      hash: 'abc',
      state: { RUNNING: 1, SUCCEEDED: 2, FAILED: 1 },
      rows_sha256: 'def',
    });
    expect(document.variants[1]).toEqual({
      variant: 'pool',
      n: 1,
      n_expected: 2,
      relative_gap: { mean: 0.5, iqm: 0.5, std: 'NaN', ci95: null, untrained: 0 },
    });
    expect(resultsDocument(set, 'heldout_return')['metric']).toBe('heldout_return');
  });
});

describe('results as CSV', () => {
  it('have a header, a line for every run, quoted text and empty fields for what is not measured', () => {
    const lines = resultsIn(set, { metric: 'heldout_return', by: ['variant'], format: 'csv' }).split('\r\n');
    expect(lines).toHaveLength(rows.length + 2);
    expect(lines.at(-1)).toBe('');
    expect(lines[0]).toMatch(/^variant,seed,state,attempts,env_steps,best_round,train_return/);
    expect(lines[1]).toContain(',NaN,untrained,');
    expect(lines[2]).toContain('"it ""broke"", twice"');
  });

  it('[P87] have every run, however many a screen would show', () => {
    const many = Array.from({ length: 10_000 }, (_, seed) => ({ ...rows[0]!, seed }));
    const csv = resultsIn({ ...set, rows: many }, { metric: 'heldout_return', by: ['variant'], format: 'csv' });
    expect(csv.trimEnd().split('\r\n')).toHaveLength(many.length + 1);
  });

  it('are sorted by the first key', () => {
    expect(sortedBy(rows, 'seed').map(({ seed }) => seed)).toEqual([0, 0, 1, 1]);
    expect(sortedBy(rows, 'variant')).toEqual(rows);
  });
});

import { describe, expect, it } from 'vitest';
import type { RunSensitivity } from '../../infra/postgres/sensitivity-rows.ts';
import { resolved, specDocument } from '../../test/support/spec-document.ts';
import { sensitivityText } from './sensitivity-text.ts';
import { unsweptText } from './unswept-policies.ts';

const experiment = { id: 'example-1', resolved: resolved(specDocument()) };

const rule = (change: Partial<RunSensitivity>): RunSensitivity => ({
  variant: 'frozen',
  seed: 0,
  kind: 'rule',
  name: 'rules.damping',
  factor: 0.95,
  episodes: 50,
  returnMean: -16,
  loss: 0.25,
  isCliff: true,
  ...change,
});
const partner = (change: Partial<RunSensitivity>): RunSensitivity =>
  rule({ kind: 'partner', name: 'noop', factor: null, isCliff: null, ...change });

const textOf = (...rows: RunSensitivity[]): string => sensitivityText(experiment, rows);
/** The cells of the first line that starts so. */
const cellsOf = (text: string, start: string): string[] =>
  text
    .split('\n')
    .find((line) => line.startsWith(start))!
    .split(/ {2,}/);

describe('what policies depend on, as text', () => {
  it('has a line for every variant and rule, and the factors side by side in ascending order', () => {
    const text = textOf(
      rule({ factor: 0.8, returnMean: -18, loss: 0.5, isCliff: null }),
      rule({ factor: 1.05, returnMean: -15, loss: -0.125, isCliff: false }),
      rule({ name: 'rules.mass', factor: 0.95, returnMean: -14, loss: 0.0625, isCliff: false }),
      rule({ variant: 'pool', factor: 0.95, returnMean: -13, loss: 0, isCliff: false }),
    );
    expect(cellsOf(text, 'variant')).toEqual(['variant', 'rule', '×0.8', '×0.95', '×1.05']);
    expect(cellsOf(text, 'frozen')).toEqual(['frozen (n 1)', 'damping', '0.50 (-18.00)', '–', '-0.13 (-15.00)']);
    expect(cellsOf(text, '  ')).toEqual(['', 'mass', '–', '0.06 (-14.00)', '–']);
    expect(cellsOf(text, 'pool')).toEqual(['pool (n 1)', 'damping', '–', '0.00 (-13.00)', '–']);
  });

  it('has a line for every partner below, and the variants side by side', () => {
    const text = textOf(
      rule({}),
      partner({ returnMean: -20, loss: 1 }),
      partner({ name: 'fixed_landmark landmark=0', returnMean: -16, loss: 0 }),
      partner({ variant: 'pool', returnMean: -18, loss: 0.5 }),
    );
    expect(text.indexOf('partner')).toBeGreaterThan(text.indexOf('variant'));
    expect(cellsOf(text, 'partner')).toEqual(['partner', 'frozen (n 1)', 'pool (n 1)']);
    expect(cellsOf(text, 'noop')).toEqual(['noop', '1.00 (-20.00)', '0.50 (-18.00)']);
    expect(cellsOf(text, 'fixed_landmark')).toEqual(['fixed_landmark landmark=0', '0.00 (-16.00)', '–']);
  });

  it('says below which scripted policies were not tried as partners, and in which variants if not in all', () => {
    const text = textOf(rule({}), partner({}));
    expect(text.search(/^Not tried as partners, because .*: weighted\.$/m)).toBeGreaterThan(text.indexOf('noop'));
    expect(textOf(rule({}))).not.toContain('Not tried');
    const { pool, frozen } = experiment.resolved.variants;
    const alone = { ...pool!, learners: [0, 1] };
    expect(unsweptText({ pool: pool!, alone })).toContain(': weighted (pool).');
    expect(unsweptText({ alone })).toBeNull();
    // Of another version of the world nothing can be said, and what was measured is shown all the same.
    expect(unsweptText({ old: { ...frozen!, family_version: 'another' } })).toBeNull();
  });

  it('takes means over the seeds and counts in how many of them a change is a cliff', () => {
    const runs = [
      { seed: 0, returnMean: -16, loss: 0.25, isCliff: true },
      { seed: 1, returnMean: -18, loss: 0.5, isCliff: true },
      { seed: 2, returnMean: -14, loss: 0, isCliff: false },
    ];
    const mean = (values: number[]): string => (values.reduce((sum, value) => sum + value) / runs.length).toFixed(2);
    const text = textOf(...runs.map(rule));
    expect(cellsOf(text, 'frozen')).toEqual([
      'frozen (n 3)',
      'damping',
      `cliff 2/3, ${mean(runs.map(({ loss }) => loss))} (${mean(runs.map(({ returnMean }) => returnMean))})`,
    ]);
  });

  it('keeps runs that learnt nothing out of the loss and the cliffs, and tells how many they are', () => {
    const nothing = { returnMean: -20, loss: NaN, isCliff: null };
    const mixed = textOf(rule({}), rule({ ...nothing, seed: 1 }));
    expect(cellsOf(mixed, 'frozen')).toEqual(['frozen (n 2, 1 untrained)', 'damping', 'cliff 1/1, 0.25 (-18.00)']);
    expect(cellsOf(textOf(rule(nothing)), 'frozen').at(-1)).toBe('NaN (-20.00)');
  });

  it('tells how many runs have a change that others of the variant do not have', () => {
    const text = textOf(rule({ isCliff: false }), rule({ seed: 1, factor: 1.2, isCliff: null }));
    expect(cellsOf(text, 'frozen').slice(2)).toEqual(['n 1, 0.25 (-16.00)', 'n 1, 0.25 (-16.00)']);
  });

  it('says how many runs are measured and which variants are not', () => {
    const text = textOf(rule({}), rule({ seed: 1 }));
    expect(text).toContain('at the end of 2 of 4 runs');
    expect(text).toContain('Not measured yet: pool.');
    expect(text).not.toContain('partner');
    expect(textOf()).toMatch(/0 of 4 runs\n\nNot measured yet: frozen, pool\.$/);
  });
});

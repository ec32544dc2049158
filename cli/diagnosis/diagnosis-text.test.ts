import { describe, expect, it } from 'vitest';
import { resultRow } from '../../test/support/result-row.ts';
import type { Diagnosis } from '../../learning/diagnosis/contract.ts';
import { diagnosisText } from './diagnosis-text.ts';
import type { VariantDiagnosis } from '../../web/documents/variant-diagnoses.ts';

const EXPERIMENT = { id: 'e-1', name: 'e', version: 1 };

const diagnosis = (id: string, change: Partial<Diagnosis> = {}): Diagnosis => ({
  id,
  found: 'no',
  headline: 'A sentence.',
  evidence: [],
  remedy: `What helps against ${id}.`,
  ...change,
});

const textOf = (change: Partial<VariantDiagnosis>): string =>
  diagnosisText(EXPERIMENT, [
    { variant: 'pool', strategyKind: 'pool', rows: [resultRow()], diagnoses: [], seen: [], ...change },
  ]);

describe('a diagnosis as text', () => {
  it('shows evidence with unit and limit, of much of it the first, and says what was not measured', () => {
    const items = Array.from({ length: 11 }, (_, index) => ({
      what: `attempt ${index}`,
      value: index === 0 ? null : 2000 + index,
      unit: 'MiB',
      limit: 2048,
    }));
    const text = textOf({ diagnoses: [diagnosis('out_of_memory', { found: 'yes', evidence: items })] });
    expect(text).toMatch(/attempt 0 +not measured +MiB +limit 2048/);
    expect(text).toMatch(/attempt 7 +2007/);
    expect(text).not.toContain('attempt 8');
    expect(text).toContain('… and 3 more');
    expect(text).toContain('Remedy: What helps against out_of_memory.');
  });

  it('has remedies for what was found only; the rest stands on two lines, with the reason for what is not known', () => {
    const unknown = diagnosis('b', { found: 'unknown', headline: 'Nobody looked.' });
    const text = textOf({ diagnoses: [diagnosis('a'), unknown, diagnosis('c')] });
    expect(text).toContain('Not found: a, c.');
    expect(text).toContain('Not known: b (Nobody looked).');
    expect(text).not.toContain('Remedy');
  });

  it('gives no verdict before a run was evaluated', () => {
    expect(textOf({ rows: [resultRow({ last: null })] })).toContain('No verdict yet');
  });

  it('tells a cliff by what was changed, a rule with its factor', () => {
    const cliffs = [
      { name: 'rules.damping', factor: 1.05, loss: 0.254 },
      { name: 'random_landmark', factor: null, loss: 0.5 },
    ];
    const text = textOf({ seen: [{ seed: 3, riseThenFall: false, fall: 0.1, cliffs }] });
    expect(text).toContain('seed 3: a cliff, rules.damping × 1.05 loses 25 % of what was learnt');
    expect(text).toContain('random_landmark loses 50 %');
    expect(text).not.toContain('fell');
  });
});

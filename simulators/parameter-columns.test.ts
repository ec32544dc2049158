import { describe, expect, it } from 'vitest';
import type { Parameter } from './contract.ts';
import { ParameterColumns } from './parameter-columns.ts';

const PARAMETERS: readonly Parameter[] = [
  { path: 'rules.damping', kind: 'real', low: 0, high: 1, unit: '1', summary: 'A number.' },
  { path: 'rules.lateness', kind: 'integer', low: 0, high: 9, unit: 'steps', summary: 'A number.' },
];

describe('ParameterColumns', () => {
  it('keeps one column a parameter, with the numbers of each environment in its place', () => {
    const columns = new ParameterColumns(3, PARAMETERS);
    const damping = columns.column('rules.damping');
    columns.load(1, Float64Array.of(0.5, 4));
    columns.load(2, Float64Array.of(0.25, 7));
    expect([...damping]).toEqual([0, 0.5, 0.25]);
    expect([...columns.column('rules.lateness')]).toEqual([0, 4, 7]);
  });

  it('refuses unknown paths, vectors of another length, and fractions of what is whole', () => {
    const columns = new ParameterColumns(1, PARAMETERS);
    expect(() => columns.column('rules.mass')).toThrow(/rules.mass/);
    expect(() => columns.load(0, Float64Array.of(1))).toThrow(/1 parameters given, 2 expected/);
    expect(() => columns.load(0, Float64Array.of(1, 1.5))).toThrow(/not whole/);
  });
});

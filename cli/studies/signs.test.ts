import { describe, expect, it } from 'vitest';
import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { measureText } from '../../web/documents/quantity-text.ts';
import { courseTable } from './course-table.ts';
import type { StudyCurve, StudyRow, StudySensitivity } from './read-results.ts';
import { sensitivityTable } from './sensitivity-table.ts';
import { signsTable } from './signs-table.ts';

/** The cells of each line of a table, without its head. */
const cellsOf = (table: string): string[][] =>
  table
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const rule = (change: Partial<StudySensitivity>): StudySensitivity => ({
  variant: 'frozen',
  seed: 0,
  kind: 'rule',
  name: 'rules.mass',
  factor: 0.95,
  episodes: 50,
  returnMean: -3,
  loss: 0,
  isCliff: false,
  ...change,
});
const partner = (change: Partial<StudySensitivity>): StudySensitivity =>
  rule({ kind: 'partner', name: 'noop', factor: null, isCliff: null, ...change });

const losses = [0.25, 0.15];
const sensitivities = [
  rule({ name: 'rules.time_step', loss: losses[0]!, isCliff: true }),
  rule({ loss: 0.05 }),
  // A fifth of a rule is no small change, however much it costs.
  rule({ factor: 0.8, loss: 5, isCliff: null }),
  partner({ loss: 0.5 }),
  partner({ name: 'random', loss: 1.25 }),
  rule({ seed: 1, name: 'rules.time_step', loss: losses[1]!, isCliff: true }),
  rule({ seed: 1, loss: 0.125, isCliff: true }),
  rule({ seed: 2, name: 'rules.time_step', loss: NaN, isCliff: null }),
  partner({ seed: 2, name: 'random', loss: NaN }),
  rule({ variant: 'untrained', loss: NaN, isCliff: null }),
  partner({ variant: 'untrained', loss: NaN }),
];

describe('the table of what policies depend on', () => {
  const [frozen, untrained] = cellsOf(sensitivityTable(sensitivities));

  it('has the small change of a rule and the partner with the largest mean loss, over the runs that learnt something', () => {
    const spread = `${measureText(mean(losses))} ± ${measureText(sampleStandardDeviation(losses))}`;
    expect(frozen![1]).toBe(`\`time_step\` × 0.95: ${spread}`);
    expect(frozen![4]).toBe('`random`: 1.25');
  });

  it('counts runs with some cliff once, and names every rule that is one in some run, the most frequent first', () => {
    expect(frozen!.slice(2, 4)).toEqual(['2 of 2', '`time_step` × 0.95 (2), `mass` × 0.95 (1)']);
  });

  it('says nothing of a variant that has learnt nothing', () => {
    expect(untrained).toEqual(['`untrained`', '–', '0 of 0', '–', '–']);
  });
});

const point = (change: Partial<StudyCurve>): StudyCurve => ({
  ...{ variant: 'frozen', seed: 0, round: 0, envSteps: 0, trainReturn: null, validationReturn: null },
  ...{ heldoutReturn: null, worstHeldout: null, trainSuccess: null, zeroVarianceShare: null, policyEntropy: null },
  ...{ dwelling: null, indifference: null },
  ...change,
});

describe('the table of signs', () => {
  const shares = [1, 0.5];
  const rows: StudyRow[] = shares.map((zeroVarianceShare, seed) => ({
    row: resultRow({ variant: 'frozen', seed, last: scores({ zeroVarianceShare, dwelling: 0.75 }) }),
    cells: { rise_then_fall: seed === 0 },
  }));
  const points = [
    point({ round: 2, trainSuccess: 0.75 }),
    point({ round: 0, trainSuccess: 0 }),
    point({ seed: 1, round: 2, trainSuccess: 0.25 }),
    point({ variant: 'pool', round: 2, trainSuccess: 1 }),
  ];

  it('has means and deviations of the last checkpoint, success after the last round, and signs found of runs', () => {
    const [cells] = cellsOf(signsTable(rows, points, sensitivities));
    const spread = (values: number[]) =>
      `${measureText(mean(values))} ± ${measureText(sampleStandardDeviation(values))}`;
    expect(cells!.slice(0, 4)).toEqual(['`frozen`', '2/2', spread([0.75, 0.25]), spread(shares)]);
    expect(cells![5]).toBe('0.75 ± 0.00');
    expect(cells!.slice(-2)).toEqual(['1 of 2', '2 of 2']);
  });

  it('has a dash for what was not kept', () => {
    const [cells] = cellsOf(signsTable([{ row: rows[0]!.row, cells: {} }], [], []));
    expect([cells![2], ...cells!.slice(-2)]).toEqual(['–', '–', '–']);
  });
});

describe('the table of the course', () => {
  const ROUNDS = 11;
  const points = [0, 1].flatMap((seed) =>
    Array.from({ length: ROUNDS }, (_, index) =>
      point({ seed, round: 2 * index, envSteps: 100 * index, policyEntropy: seed + 1 / (index + 1) }),
    ),
  );
  const lines = cellsOf(courseTable([...points].reverse()));

  it('has some of the evaluated rounds in their order, the first and the last among them', () => {
    const envSteps = lines.map((cells) => Number(cells[1]!.replace(' ', '')));
    expect(envSteps).toEqual([0, 200, 400, 600, 800, 1000]);
  });

  it('has means over the runs that measured, and a dash where none did', () => {
    const [first, last] = [lines[0]!, lines.at(-1)!];
    expect([first[2], first[7], last[7]]).toEqual(['2', measureText(0.5 + 1), measureText(0.5 + 1 / ROUNDS)]);
    expect(first.slice(3, 7)).toEqual(['–', '–', '–', '–']);
  });

  it('has every round where they are few', () => {
    expect(cellsOf(courseTable(points.slice(0, 3)))).toHaveLength(3);
  });
});

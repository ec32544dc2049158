import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { bestAction, Categorical } from './action-choice.ts';

/** Two rows; the second is shifted by what would overflow if it were exponentiated as it is. */
const ROWS = [
  [0.5, -1, 2],
  [1000.5, 999, 1002],
];
const LOGITS = Float32Array.from(ROWS.flat());
const ACTIONS = ROWS[0]!.length;

function categoricalOf(logits: Float32Array, row: number, count: number): Categorical {
  const categorical = new Categorical(count);
  categorical.read(logits, row);
  return categorical;
}

function softmax(row: readonly number[]): number[] {
  const largest = Math.max(...row);
  const shares = row.map((logit) => Math.exp(logit - largest));
  const total = shares.reduce((sum, value) => sum + value, 0);
  return shares.map((value) => value / total);
}

describe.each(ROWS.map((row, index) => ({ row, index })))('row $row', ({ row, index }) => {
  it('is sampled as often as its softmax says', () => {
    const draws = 10_000;
    const counts = new Array<number>(ACTIONS).fill(0);
    for (let draw = 0; draw < draws; draw += 1) {
      counts[categoricalOf(LOGITS, index, ACTIONS).draw((draw + 0.5) / draws)]! += 1;
    }
    // Evenly spread numbers: every interval holds its share of them, up to one at either end.
    softmax(row).forEach((probability, action) =>
      expect(Math.abs(counts[action]! / draws - probability)).toBeLessThan(2 / draws),
    );
  });

  it('has the log probabilities of its softmax', () => {
    softmax(row).forEach((probability, action) =>
      expect(categoricalOf(LOGITS, index, ACTIONS).logProbability(action)).toBeCloseTo(Math.log(probability), 5),
    );
  });

  it('has its largest logit as the best action', () => {
    expect(bestAction(LOGITS, index, ACTIONS)).toBe(row.indexOf(Math.max(...row)));
  });
});

it('never samples an action whose logit is −∞, whatever rounding leaves at either end', () => {
  const random = new RandomStream(keyFrom(1));
  const sampled = new Set<number>();
  for (let row = 0; row < 1000; row += 1) {
    const middle = Array.from({ length: 4 }, () => random.nextNormal());
    const masked = Float32Array.of(-Infinity, ...middle, -Infinity);
    for (const uniform of [0, random.nextUniform(), 1 - 2 ** -53])
      sampled.add(categoricalOf(masked, 0, 6).draw(uniform));
  }
  expect([...sampled].sort()).toEqual([1, 2, 3, 4]);
  const masked = Float32Array.of(-Infinity, 1, 1, -Infinity);
  expect(categoricalOf(masked, 0, 4).logProbability(0)).toBe(-Infinity);
  expect(categoricalOf(masked, 0, 4).logProbability(1)).toBeCloseTo(Math.log(1 / 2), 6);
});

it('takes the first of equally good actions', () => {
  expect(bestAction(Float32Array.of(1, 3, 3, 2), 0, 4)).toBe(1);
});

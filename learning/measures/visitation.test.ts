import { expect, test } from 'vitest';
import { jensenShannon } from '../distances/divergences.ts';
import { visitationDivergence } from './visitation.ts';

const here = [
  [3, 1],
  [0, 4],
];
const there = [
  [1, 3],
  [0, 8],
];

test('is the mean over features of the divergence of visited states', () => {
  const divergence = visitationDivergence([{ weight: 1, visitation: here }], there);
  expect(divergence).toBeCloseTo(jensenShannon([3, 1], [1, 3]) / 2, 14);
});

test('is 0 where the learners move as in training, and 1 where they are never where they were', () => {
  expect(visitationDivergence([{ weight: 1, visitation: here }], here)).toBe(0);
  expect(visitationDivergence([{ weight: 1, visitation: [[1, 0]] }], [[0, 5]])).toBe(1);
});

test('the simulators trained on count by their weights, not by how long their episodes were', () => {
  const train = [
    { weight: 1, visitation: [[8, 0]] },
    { weight: 3, visitation: [[0, 2]] },
  ];
  expect(visitationDivergence(train, [[1, 3]])).toBeCloseTo(0, 14);
});

test('is NaN where no learner was present', () => {
  expect(
    visitationDivergence(
      [{ weight: 1, visitation: here }],
      [
        [0, 0],
        [0, 0],
      ],
    ),
  ).toBeNaN();
});

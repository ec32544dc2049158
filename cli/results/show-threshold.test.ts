import { expect, it } from 'vitest';
import { thresholdRows } from './show-threshold.ts';

const row = (variant: string, seed: number, round: number, heldoutReturn: number | null) => ({
  variant,
  seed,
  round,
  envSteps: 100 * round,
  trainReturn: 0,
  validationReturn: null,
  heldoutReturn,
  worstHeldout: heldoutReturn,
});

it('a run has the env steps at which its held-out return first reached what was asked, or never did', () => {
  const curves = [
    ...[-30, -20, -10].map((value, round) => row('pool', 0, round, value)),
    ...[-30, -28, -29].map((value, round) => row('frozen', 0, round, value)),
    row('specialist.panel', 0, 1, null),
  ];
  expect(thresholdRows(curves, -15)).toEqual([
    { variant: 'pool', seed: 0, stepsToThreshold: 150, highest: -10 },
    { variant: 'frozen', seed: 0, stepsToThreshold: null, highest: -28 },
  ]);
});

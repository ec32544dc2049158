import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSpread, simulatorOf, weighted } from '../../test/support/small-learning.ts';
import type { SensitivityChange } from './sensitivity-changes.ts';
import { type SensitivityMeasurement, sensitivityRow } from './sensitivity.ts';

const simulator = simulatorOf(openSpread({ agents: 2 }));

function changeOf(weights: readonly number[], what: Partial<SensitivityChange> = {}): SensitivityChange {
  const simulators = weights.map((weight) => weighted(simulator, weight));
  return { kind: 'rule', name: 'rules.damping', factor: 1.05, simulators, ...what };
}

const POOL = [{ weight: 0.25, returns: [-8, -6, -100] }, { weight: 0.75, returns: [-4, -8, -100] }]; // prettier-ignore
const MEASUREMENT: SensitivityMeasurement = {
  change: changeOf([0.25, 0.75]),
  returns: [[-12, -8], [-5, -9]], // prettier-ignore
  pool: POOL,
  gain: 8,
  isTrained: true,
};

const cliffOf = (change: Partial<SensitivityMeasurement>): boolean | null =>
  sensitivityRow({ ...MEASUREMENT, ...change }).isCliff;

describe('what a change costs', () => {
  it('is the share of the gain that is given up, on the same episodes', () => {
    // Changed: (0.25 · −10 + 0.75 · −7) = −7.75; the first two episodes of the pool: (0.25 · −7 + 0.75 · −6) = −6.25.
    expect(sensitivityRow(MEASUREMENT)).toEqual({
      kind: 'rule',
      name: 'rules.damping',
      factor: 1.05,
      episodes: 4,
      returnMean: -7.75,
      loss: 1.5 / 8,
      isCliff: true,
    });
  });

  it('agrees with a slow loop, and is the same when weights are scaled or returns shifted', () => {
    const row = fc.array(fc.integer({ min: -50, max: 0 }), { minLength: 3, maxLength: 3 });
    const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(
        weights,
        fc.tuple(row, row),
        fc.tuple(row, row),
        fc.integer({ min: 1, max: 40 }),
        (w, of, to, gain) => {
          let given = 0;
          for (const index of [0, 1]) {
            for (const episode of [0, 1, 2]) given += (w[index]! * (of[index]![episode]! - to[index]![episode]!)) / 3;
          }
          const rowOf = (scale: number, shift: number) =>
            sensitivityRow({
              change: changeOf(w.map((weight) => scale * weight)),
              returns: to.map((values) => values.map((value) => value + shift)),
              pool: of.map((values, index) => ({
                weight: scale * w[index]!,
                returns: values.map((value) => value + shift),
              })),
              gain,
              isTrained: true,
            });
          const { loss, isCliff } = rowOf(1, 0);
          expect(loss).toBeCloseTo(given / (w[0]! + w[1]!) / gain, 9);
          expect(isCliff).toBe(loss > 0.1);
          expect(rowOf(1 / 7, 13).loss).toBeCloseTo(loss, 9);
        },
      ),
    );
  });

  it('is 0 where nothing changes', () => {
    const returns = POOL.map((entry) => entry.returns);
    expect(sensitivityRow({ ...MEASUREMENT, returns })).toMatchObject({ loss: 0, isCliff: false });
  });

  it('compares a pool with one that has fewer simulators', () => {
    const change = changeOf([1], { kind: 'partner', name: 'noop', factor: null });
    const row = sensitivityRow({ ...MEASUREMENT, change, returns: [[-20, -20]] });
    expect(row).toMatchObject({ episodes: 2, returnMean: -20, loss: (20 - 6.25) / 8, isCliff: null });
  });
});

describe('a cliff', () => {
  it('is a loss of more than a tenth by 5 % of a rule', () => {
    const losing = (loss: number) => ({ returns: [[-6.25 - 8 * loss], [-6.25 - 8 * loss]], pool: [{ weight: 1, returns: [-6.25] }] }); // prettier-ignore
    expect(cliffOf(losing(0.125))).toBe(true);
    expect(cliffOf(losing(0.09))).toBe(false);
    expect(cliffOf({ ...losing(0.125), change: changeOf([1, 1], { factor: 0.95 }) })).toBe(true);
  });

  it('is not asked for of larger changes, nor of partners, nor when nothing was learnt', () => {
    expect(cliffOf({ change: changeOf([1, 1], { factor: 1.2 }) })).toBeNull();
    expect(cliffOf({ change: changeOf([1, 1], { factor: 0.8 }) })).toBeNull();
    expect(cliffOf({ change: changeOf([1, 1], { kind: 'partner', factor: null }) })).toBeNull();
    expect(cliffOf({ isTrained: false })).toBeNull();
    expect(sensitivityRow({ ...MEASUREMENT, isTrained: false }).loss).toBeNaN();
  });
});

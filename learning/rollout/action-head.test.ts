import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { bestAction, Categorical } from './action-choice.ts';
import { actionHead } from './action-head.ts';

const stream = (seed: number) => new RandomStream(keyFrom(seed));
const DRAWS = 20_000;

function momentsOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

describe('the head of discrete actions', () => {
  const count = 4;
  const head = actionHead({ kind: 'discrete', count });
  const logit = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constant(-Infinity));
  /** Two rows with an action each that is possible. */
  const rows = fc
    .array(logit, { minLength: 2 * count, maxLength: 2 * count })
    .map((logits) => Float32Array.from(logits, (value, at) => (at % count === 2 ? Math.max(value, 0) : value)));

  it('has a logit for every action, and an action is one number', () => {
    expect([head.outputSize, head.actionSize]).toEqual([count, 1]);
  });

  it('draws and values what the choice of an action says, one uniform number a draw', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 1 }), fc.nat(), (logits, row, seed) => {
        const actions = Int32Array.of(-1, -1, -1);
        const value = head.sample(logits, row, stream(seed), actions, 1);
        const categorical = new Categorical(count);
        categorical.read(logits, row);
        const action = categorical.draw(stream(seed).nextUniform());
        expect([...actions]).toEqual([-1, action, -1]);
        expect(value).toBe(categorical.logProbability(action));
        head.best(logits, row, actions, 2);
        expect([...actions]).toEqual([-1, action, bestAction(logits, row, count)]);
      }),
    );
  });

  it('never draws an action whose logit is −∞', () => {
    const logits = Float32Array.of(-Infinity, 1, -Infinity, 2);
    const random = stream(1);
    const actions = new Int32Array(2_000);
    actions.forEach((_, at) => {
      const value = head.sample(logits, 0, random, actions, at);
      expect(Number.isFinite(value)).toBe(true);
    });
    expect(new Set(actions)).toEqual(new Set([1, 3]));
  });

  it('takes any action as often as another', () => {
    const random = stream(2);
    const actions = new Int32Array(DRAWS);
    actions.forEach((_, at) => head.any(random, actions, at));
    const share = 1 / count;
    for (let action = 0; action < count; action += 1) {
      const drawn = actions.filter((each) => each === action).length / DRAWS;
      expect(Math.abs(drawn - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / DRAWS));
    }
  });

  it('gives the action that was drawn', () => {
    const actions = Int32Array.of(-1, -1, -1);
    head.give(Int32Array.of(0, 3), 1, actions, 2);
    expect([...actions]).toEqual([-1, -1, 3]);
  });
});

describe('the head of a box', () => {
  const [low, high] = [[-2, 0], [2, 5]]; // prettier-ignore
  const head = actionHead({ kind: 'box', low: low, high: high });
  const [means, deviations] = [[0.25, -1.5], [0.5, 0.1]]; // prettier-ignore
  /** The second of two rows is the one that is meant. */
  const OUTPUTS = Float32Array.of(9, 9, 9, 9, ...means, ...deviations.map(Math.log));

  /** Draws of the second row, and their densities. */
  function drawn(seed: number, count: number) {
    const random = stream(seed);
    const actions = new Float32Array(2 * count);
    const densities = Array.from({ length: count }, (_, at) => head.sample(OUTPUTS, 1, random, actions, 2 * at));
    return { actions, densities };
  }

  const given = (...numbers: number[]): number[] => {
    const actions = new Float32Array(2);
    head.give(Float32Array.from(numbers), 0, actions, 0);
    return [...actions];
  };

  it('has a mean and a deviation for every number of an action', () => {
    expect([head.outputSize, head.actionSize]).toEqual([4, 2]);
  });

  it('draws with the density of independent normal distributions, before anything is clipped', () => {
    const { actions, densities } = drawn(1, 200);
    densities.forEach((density, at) => {
      const factors = deviations.map((deviation, index) => {
        const distance = actions[2 * at + index]! - means[index]!;
        return Math.exp(-(distance ** 2) / (2 * deviation ** 2)) / Math.sqrt(2 * Math.PI * deviation ** 2);
      });
      expect(density).toBeCloseTo(Math.log(factors[0]! * factors[1]!), 4);
    });
    expect(actions.some((number) => Math.abs(number) > 1)).toBe(true);
  });

  it('draws with the mean and the deviation that the outputs say, independently', () => {
    const { actions } = drawn(2, DRAWS);
    const numbersOf = (index: number) => [...actions.filter((_, at) => at % 2 === index)];
    deviations.forEach((expected, index) => {
      const { mean, deviation } = momentsOf(numbersOf(index));
      // Four standard errors: σ/√n of a mean, σ/√(2n) of a deviation.
      expect(Math.abs(mean - means[index]!)).toBeLessThan((4 * expected) / Math.sqrt(DRAWS));
      expect(Math.abs(deviation - expected)).toBeLessThan((4 * expected) / Math.sqrt(2 * DRAWS));
    });
    const [first, second] = [numbersOf(0), numbersOf(1)];
    const products = first.map(
      (number, at) => ((number - means[0]!) * (second[at]! - means[1]!)) / (deviations[0]! * deviations[1]!),
    );
    expect(Math.abs(momentsOf(products).mean)).toBeLessThan(4 / Math.sqrt(DRAWS));
  });

  it('draws the same from the same stream, and something else from another', () => {
    expect(drawn(3, 5)).toEqual(drawn(3, 5));
    expect(drawn(4, 5)).not.toEqual(drawn(3, 5));
  });

  it('has the mean as the best action, and writes nothing else', () => {
    const actions = new Float32Array(4).fill(7);
    head.best(OUTPUTS, 1, actions, 1);
    expect([...actions]).toEqual([7, ...means, 7]);
  });

  it('gives −1 as low, 1 as high, in between in proportion, and what lies beyond as the nearest end', () => {
    expect(given(-1, -1)).toEqual(low);
    expect(given(1, 1)).toEqual(high);
    expect(given(0, 0.5)).toEqual([0, 0.75 * 5]);
    expect(given(-7, 1e9)).toEqual([low[0], high[1]]);
    const actions = new Float32Array(6).fill(7);
    head.give(Float32Array.of(3, 3, 0, -1), 2, actions, 3);
    expect([...actions]).toEqual([7, 7, 7, 0, 0, 7]);
  });

  it('takes any action of the box alike, as the world takes it', () => {
    const random = stream(5);
    const actions = new Float32Array(2 * DRAWS);
    for (let at = 0; at < DRAWS; at += 1) head.any(random, actions, 2 * at);
    low.forEach((least, index) => {
      const range = high[index]! - least;
      const numbers = [...actions.filter((_, at) => at % 2 === index)];
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...numbers)).toBeLessThanOrEqual(high[index]!);
      const { mean, deviation } = momentsOf(numbers);
      const uniform = range / Math.sqrt(12);
      expect(Math.abs(mean - (least + range / 2))).toBeLessThan((4 * uniform) / Math.sqrt(DRAWS));
      // The fourth central moment of a uniform number is 9/5 of its squared variance, so that σ has an error of σ/√(5n).
      expect(Math.abs(deviation - uniform)).toBeLessThan((4 * uniform) / Math.sqrt(5 * DRAWS));
    });
  });

  it('is a defect without numbers', () => {
    expect(() => actionHead({ kind: 'box', low: [], high: [] })).toThrow(
      expect.objectContaining({ code: 'DEFECT_INVARIANT' }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { riseThenFall, type EvaluatedRound } from './rise-then-fall.ts';

const RANDOM = -14;

/** Two simulators, the second a unit lower, so that only the mean over both is as given. */
function evaluated(round: number, episodes: readonly number[]): EvaluatedRound {
  return { round, returns: [episodes.map((value) => value + 0.5), episodes.map((value) => value - 0.5)] };
}

const repeat = (even: number, odd: number): number[] => [even, odd, even, odd, even, odd];

const curves = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 8 }))
  .chain(([rounds, simulators, episodes]) => {
    const exactly = (length: number) => ({ minLength: length, maxLength: length });
    const value = fc.integer({ min: -40, max: 0 });
    return fc.array(fc.array(fc.array(value, exactly(episodes)), exactly(simulators)), exactly(rounds));
  })
  .map((rounds) => rounds.map((returns, round): EvaluatedRound => ({ round: 2 * round, returns })));

/** Sums over simulators and episodes in one loop, with the textbook's formulas. */
function slowly(rounds: readonly EvaluatedRound[], randomReturn: number) {
  const at = ({ returns }: EvaluatedRound, parity: number): number[] => {
    const values: number[] = [];
    for (let episode = parity; episode < returns[0]!.length; episode += 2) {
      let sum = 0;
      for (const episodes of returns) sum += episodes[episode]!;
      values.push(sum / returns.length);
    }
    return values;
  };
  const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  let best = 0;
  rounds.forEach((round, index) => {
    if (average(at(round, 0)) > average(at(rounds[best]!, 0))) best = index;
  });
  const last = at(rounds.at(-1)!, 1);
  const differences = at(rounds[best]!, 1).map((value, index) => value - last[index]!);
  const fall = average(differences);
  const variance =
    (average(differences.map((value) => value ** 2)) - fall ** 2) * (differences.length / (differences.length - 1));
  const enough = fall - 0.1 * (average(at(rounds[best]!, 1)) - randomReturn);
  return { bestRound: rounds[best]!.round, fall, variance, squaredError: variance / differences.length, enough };
}

describe('rise then fall', () => {
  it('is found where the best round on even episodes is better than the last on odd ones', () => {
    const rounds = [evaluated(0, repeat(-14, -14)), evaluated(5, repeat(-9, -9)), evaluated(10, [-12, -10, -12, -11, -12, -12])]; // prettier-ignore
    // Losses 1, 2, 3: mean 2, deviation 1.
    expect(riseThenFall(rounds, RANDOM)).toEqual({
      bestRound: 5,
      fall: 2,
      standardError: expect.closeTo(1 / Math.sqrt(3), 12),
      found: true,
    });
  });

  it('is not found where the last round is the best, and nothing has fallen then', () => {
    const rounds = [evaluated(0, repeat(-14, -14)), evaluated(5, repeat(-9, -9))];
    expect(riseThenFall(rounds, RANDOM)).toEqual({ bestRound: 5, fall: 0, standardError: 0, found: false });
  });

  it('is not found where the fall is within two standard errors, or a tenth of what was gained', () => {
    const noisy = [evaluated(5, repeat(-9, -9)), evaluated(10, [-12, -5, -12, -11, -12, -14])];
    expect(riseThenFall(noisy, RANDOM)).toMatchObject({ fall: 1, found: false });
    const atLimit = [evaluated(5, repeat(-9, -9)), evaluated(10, repeat(-12, -9.5))];
    expect(riseThenFall(atLimit, RANDOM)).toMatchObject({ fall: 0.5, standardError: 0, found: false });
    const beyond = [evaluated(5, repeat(-9, -9)), evaluated(10, repeat(-12, -9.625))];
    expect(riseThenFall(beyond, RANDOM)).toMatchObject({ fall: 0.625, found: true });
  });

  it('does not take the luck of the round it chooses for a fall', () => {
    const lucky = [evaluated(5, repeat(-1, -9)), evaluated(10, repeat(-9, -9))];
    expect(riseThenFall(lucky, RANDOM)).toEqual({ bestRound: 5, fall: 0, standardError: 0, found: false });
  });

  it('is not measured on one round, nor without a test panel', () => {
    expect(riseThenFall([evaluated(0, repeat(-9, -9))], RANDOM)).toBeNull();
    expect(riseThenFall([{ round: 0, returns: [] }, { round: 5, returns: [] }], NaN)).toBeNull(); // prettier-ignore
  });

  it('agrees with a slow loop', () => {
    fc.assert(
      fc.property(curves, (rounds) => {
        const { bestRound, fall, squaredError, enough } = slowly(rounds, RANDOM);
        const result = riseThenFall(rounds, RANDOM)!;
        // Means that tie up to rounding may be told apart either way.
        fc.pre(result.bestRound === bestRound);
        expect(result.fall).toBeCloseTo(fall, 9);
        expect(result.standardError ** 2).toBeCloseTo(squaredError, 6);
        const margins = [fall - 2 * Math.sqrt(Math.max(0, squaredError)), enough];
        fc.pre(margins.every((margin) => Math.abs(margin) > 1e-5));
        expect(result.found).toBe(bestRound !== rounds.at(-1)!.round && margins.every((margin) => margin > 0));
      }),
    );
  });

  it('does not change when returns are shifted, and its fall scales with them', () => {
    fc.assert(
      fc.property(curves, fc.integer({ min: 1, max: 8 }), fc.integer({ min: -64, max: 64 }), (rounds, power, shift) => {
        // Powers of two change no rounding.
        const scale = 2 ** power;
        const scaled = rounds.map(({ round, returns }) => ({
          round,
          returns: returns.map((episodes) => episodes.map((value) => scale * value)),
        }));
        const original = riseThenFall(rounds, RANDOM)!;
        expect(riseThenFall(scaled, scale * RANDOM)).toEqual({
          ...original,
          fall: scale * original.fall,
          standardError: scale * original.standardError,
        });
        const shifted = rounds.map(({ round, returns }) => ({
          round,
          returns: returns.map((episodes) => episodes.map((value) => value + shift)),
        }));
        const moved = riseThenFall(shifted, RANDOM + shift)!;
        fc.pre(moved.bestRound === original.bestRound);
        expect(moved.fall).toBeCloseTo(original.fall, 9);
      }),
    );
  });
});

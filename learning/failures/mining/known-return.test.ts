import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizedScore, yardstickOf } from './known-return.ts';

const returns = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 4, maxLength: 4 });

describe('the yardstick of a simulator', () => {
  const random = [0, 1, 2, 3];

  it('is the best mean of all who played it, the first of equal ones', () => {
    const scripted = { by: 'scripted', returns: [2, 3, 4, 5] } as const;
    const earlier = { by: 'earlier', returns: [5, 4, 3, 2] } as const;
    const better = { by: 'earlier', returns: [9, 9, 9, 9] } as const;
    expect(yardstickOf(random, [scripted, earlier])).toEqual({
      randomMean: 1.5,
      knownMean: 3.5,
      knownBy: 'scripted',
      isImpossible: false,
    });
    expect(yardstickOf(random, [scripted, earlier, better])).toMatchObject({ knownMean: 9, knownBy: 'earlier' });
  });

  it('is impossible where nobody is better than chance', () => {
    expect(yardstickOf(random, [])).toMatchObject({ knownBy: 'random', knownMean: 1.5, isImpossible: true });
    expect(yardstickOf(random, [{ by: 'scripted', returns: [0, 0, 0, 0] }])).toMatchObject({
      knownBy: 'random',
      isImpossible: true,
    });
  });

  it('compares episode by episode: what varies with the start alone does not hide a gain', () => {
    const starts = [-100, 0, 50, 300];
    const gains = [1, 2, 1, 2];
    const scripted = starts.map((start, episode) => start + gains[episode]!);
    expect(yardstickOf(starts, [{ by: 'scripted', returns: scripted }]).isImpossible).toBe(false);
    expect(yardstickOf(starts, [{ by: 'scripted', returns: scripted.toReversed() }]).isImpossible).toBe(true);
  });

  it('is impossible at exactly two standard errors, and not above', () => {
    // Two episodes with gains 1 ± d: the mean is 1 and the standard error d.
    const within = (d: number) => yardstickOf([0, 0], [{ by: 'scripted', returns: [1 - d, 1 + d] }]).isImpossible;
    expect([within(0.5), within(0.4), within(0.6)]).toEqual([true, false, true]);
  });

  it('of one episode shows nothing', () => {
    expect(yardstickOf([0], [{ by: 'scripted', returns: [100] }]).isImpossible).toBe(true);
  });

  it('scores chance 0 and the best known policy 1, on average', () => {
    fc.assert(
      fc.property(returns, returns, (random, scripted) => {
        const yardstick = yardstickOf(random, [{ by: 'scripted', returns: scripted }]);
        fc.pre(!yardstick.isImpossible);
        const meanScore = (each: readonly number[]) =>
          each.reduce((sum, value) => sum + normalizedScore(value, yardstick), 0) / each.length;
        expect(meanScore(random)).toBeCloseTo(0, 9);
        expect(meanScore(scripted)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('does not ask in which units, or from where, returns are counted', () => {
    fc.assert(
      fc.property(
        returns,
        returns,
        fc.constantFrom(0.5, 2, 8),
        fc.integer({ min: -9, max: 9 }),
        (random, known, scale, shift) => {
          const yardstick = yardstickOf(random, [{ by: 'scripted', returns: known }]);
          const changed = (each: readonly number[]) => each.map((value) => value * scale + shift);
          const other = yardstickOf(changed(random), [{ by: 'scripted', returns: changed(known) }]);
          expect(other.isImpossible).toBe(yardstick.isImpossible);
          if (yardstick.isImpossible) return;
          expect(normalizedScore(scale * known[0]! + shift, other)).toBeCloseTo(
            normalizedScore(known[0]!, yardstick),
            9,
          );
        },
      ),
    );
  });
});

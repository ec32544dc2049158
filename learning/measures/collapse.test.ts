import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collapseScores, isTrained, verdictOf, type ScoredSimulator } from './collapse.ts';

const LIMITS = { watch: 0.1, collapsed: 0.2 };

function simulator(returns: number[], randomReturns: number[], weight = 1): ScoredSimulator {
  return { weight, returns, randomReturns, visitationDivergence: null };
}

const TRAIN = [simulator([-7, -8, -6], [-14, -13, -15])];
const TEST = [simulator([-12, -13, -11], [-14, -13, -15]), simulator([-9, -10, -8], [-14, -13, -15])];

describe('the measures of collapse', () => {
  it('follow their definitions', () => {
    const scores = collapseScores({ train: TRAIN, validation: [], test: TEST }, LIMITS);
    expect(scores.trainReturn).toBeCloseTo(-7, 12);
    expect(scores.heldoutReturn).toBeCloseTo((-12 + -9) / 2, 12);
    expect(scores.collapseGap).toBeCloseTo(-7 + 10.5, 12);
    expect(scores.relativeGap).toBeCloseTo(1 - (-10.5 + 14) / (-7 + 14), 12);
    expect(scores.worstHeldout).toBe(-12);
    expect(scores.heldoutStd).toBeCloseTo(Math.sqrt(4.5), 12);
    expect(scores.validationReturn).toBeNull();
    expect(scores.verdict).toBe('collapsed');
  });

  it('hold the mean visitation divergence of the test panel, and none where none is known', () => {
    const [first, second] = TEST as [ScoredSimulator, ScoredSimulator];
    const test = [
      { ...first, visitationDivergence: 0.25 },
      { ...second, visitationDivergence: 0.75 },
    ];
    const validation = [{ ...first, visitationDivergence: 1 }];
    expect(collapseScores({ train: TRAIN, validation, test }, LIMITS).visitationDivergence).toBe(0.5);
    expect(collapseScores({ train: TRAIN, validation, test: TEST }, LIMITS).visitationDivergence).toBeNull();
  });

  it('hold the tail of the test panel, and none without one', () => {
    const test = [simulator([-20, -30, 0, 9], [0]), simulator([-10, -25, -5, 7], [0])];
    const validation = [simulator([-99, -99], [0])];
    expect(collapseScores({ train: TRAIN, validation, test }, LIMITS).cvarHeldout).toBe((-30 + -25) / 2);
    expect(collapseScores({ train: TRAIN, validation, test: [] }, LIMITS).cvarHeldout).toBeNull();
  });

  it('weigh the train panel as the pool does', () => {
    const train = [simulator([1], [0], 3), simulator([5], [0], 1)];
    expect(collapseScores({ train, validation: [], test: [] }, LIMITS).trainReturn).toBe((3 * 1 + 5) / 4);
  });

  it('do not change when every reward is shifted or scaled', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        (scale, shift) => {
          const moved = (panel: ScoredSimulator[]): ScoredSimulator[] =>
            panel.map(({ returns, randomReturns, ...simulator }) => ({
              ...simulator,
              returns: returns.map((value) => scale * value + shift),
              randomReturns: randomReturns.map((value) => scale * value + shift),
            }));
          const before = collapseScores({ train: TRAIN, validation: [], test: TEST }, LIMITS);
          const after = collapseScores({ train: moved(TRAIN), validation: [], test: moved(TEST) }, LIMITS);
          expect(after.relativeGap).toBeCloseTo(before.relativeGap!, 6);
          expect(after.verdict).toBe(before.verdict);
        },
      ),
    );
  });

  it('call a policy untrained when its gain is within two standard errors, and give no number then', () => {
    const train = [simulator([-14, -12, -16, -13], [-13, -14, -14, -15])];
    expect(isTrained(train)).toBe(false);
    const scores = collapseScores({ train, validation: [], test: TEST }, LIMITS);
    expect(scores.relativeGap).toBeNaN();
    expect(scores.verdict).toBe('untrained');
  });

  it('count both limits of the verdict as watch', () => {
    expect([-0.5, 0.0999, 0.1, 0.2, 0.2001, NaN].map((gap) => verdictOf(gap, LIMITS))).toEqual([
      'healthy',
      'healthy',
      'watch',
      'watch',
      'collapsed',
      'untrained',
    ]);
  });
});

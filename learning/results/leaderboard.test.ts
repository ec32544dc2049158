import { describe, expect, it } from 'vitest';
import { joinBoards, leaderboard, type LeaderboardRun } from './leaderboard.ts';

function run(change: Partial<LeaderboardRun>): LeaderboardRun {
  return {
    family: 'simple_spread',
    familyVersion: '1',
    panelHash: 'aa',
    panelSize: 3,
    learners: [0],
    name: 'demo/pool',
    variantHash: 'pool',
    seed: 0,
    heldoutReturn: -20,
    worstHeldout: -25,
    trainGain: 4,
    heldoutGain: 1,
    relativeGap: 0.75,
    envSteps: 1000,
    ...change,
  };
}

const runsOf = (variantHash: string, returns: readonly (number | null)[], change: Partial<LeaderboardRun> = {}) =>
  returns.map((heldoutReturn, seed) =>
    run({ variantHash, name: `demo/${variantHash}`, seed, heldoutReturn, ...change }),
  );

const orderOf = (runs: readonly LeaderboardRun[]) =>
  leaderboard(runs)[0]!.entries.map(({ variantHash }) => variantHash);

describe('the leaderboard', () => {
  it('ranks variants by their mean return, NaN last, and runs without one count for nothing', () => {
    const runs = [
      ...runsOf('broken', [-1, NaN]),
      ...runsOf('low', [-30, -31]),
      ...runsOf('lost', [-Infinity]),
      ...runsOf('high', [-10, -12, null]),
      ...runsOf('waiting', [null]),
    ];
    expect(orderOf(runs)).toEqual(['high', 'low', 'lost', 'broken']);
    expect(orderOf(runs.toReversed())).toEqual(['high', 'low', 'lost', 'broken']);
    expect(leaderboard(runs)[0]!.entries[0]).toMatchObject({ n: 2, heldoutReturn: -11, interval: null });
  });

  it('has a board for each family, version, test panel and choice of learners', () => {
    const keys: Partial<LeaderboardRun>[] = [
      {},
      { panelHash: 'bb' },
      { learners: [0, 1] },
      { family: 'simple_tag' },
      { familyVersion: '2' },
    ];
    expect(leaderboard([...keys, ...keys].map(run)).map(({ entries }) => entries.length)).toEqual(keys.map(() => 1));
  });

  it('takes variants that are equal by content for one, under all their names, and every seed once', () => {
    const [first, second] = [runsOf('pool', [-20, -21]), runsOf('pool', [-20, -21, -25], { name: 'again/pool' })];
    expect(leaderboard([...first, ...second])[0]!.entries).toMatchObject([
      { names: ['demo/pool', 'again/pool'], n: 3, heldoutReturn: -22 },
    ]);
  });

  it('has intervals from five seeds on, which hold what they are of and do not see the order of the runs', () => {
    const five = [-20, -21, -22, -23, -24].map((heldoutReturn, seed) =>
      run({ seed, heldoutReturn, trainGain: 4 + seed, heldoutGain: 1 }),
    );
    const [entry] = leaderboard(five)[0]!.entries;
    expect(entry).toMatchObject({ heldoutReturn: -22, relativeGap: 1 - 5 / 30, worstHeldout: -25, envSteps: 1000 });
    for (const [value, interval] of [
      [entry!.heldoutReturn, entry!.interval!],
      [entry!.relativeGap!, entry!.relativeGapInterval!],
    ] as const) {
      expect(interval[0]).toBeLessThan(value);
      expect(interval[1]).toBeGreaterThan(value);
    }
    expect(leaderboard(five.toReversed())).toEqual(leaderboard(five));
  });

  it('says what was not measured by null, and NaN where nothing was learnt', () => {
    const unknown = { worstHeldout: null, trainGain: null, heldoutGain: null, envSteps: null };
    expect(leaderboard([run(unknown)])[0]!.entries[0]).toMatchObject({
      ...{ worstHeldout: null, relativeGap: null, relativeGapInterval: null, envSteps: null },
    });
    expect(leaderboard([run({ trainGain: -1 })])[0]!.entries[0]!.relativeGap).toBeNaN();
    // Gains that may be chance are no gains, though their sum be above 0.
    const untrained = [0, 1, 2, 3, 4].map((seed) =>
      run({ seed, trainGain: 0.01, heldoutGain: -0.2, relativeGap: NaN }),
    );
    expect(leaderboard(untrained)[0]!.entries[0]).toMatchObject({ relativeGap: NaN, relativeGapInterval: null });
    const one = [...untrained, run({ seed: 5 })];
    expect(leaderboard(one)[0]!.entries[0]!.relativeGap).toBeCloseTo(1 - 0 / 4.05, 12);
  });

  it('joins boards that are one, and ranks what they hold anew', () => {
    const ours = leaderboard([...runsOf('a', [-10]), ...runsOf('c', [-30])]);
    const theirs = leaderboard([...runsOf('b', [-20]), ...runsOf('d', [-5], { panelHash: 'bb' })]);
    const joined = joinBoards(ours, theirs);
    expect(joined.map(({ entries }) => entries.map(({ variantHash }) => variantHash))).toEqual([
      ['a', 'b', 'c'],
      ['d'],
    ]);
  });
});

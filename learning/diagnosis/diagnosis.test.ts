import { describe, expect, it } from 'vitest';
import {
  evaluatedRound,
  madeUpRun,
  madeUpVariant,
  poolOf,
  trainedIn,
  trainedRound,
} from '../../test/support/made-up-run.ts';
import { openSpread, simulatorOf } from '../../test/support/small-learning.ts';
import type { Finding } from './contract.ts';
import { STRATEGIES } from '../strategies/registry.ts';
import type { FinalScores, RunHistory } from './history.ts';
import { overfitToSimulator } from './overfit-to-simulator.ts';
import { diagnoseVariant, KNOWN_PROBLEMS } from './registry.ts';

const find = (id: string, ...args: Parameters<typeof madeUpVariant>): Finding =>
  diagnoseVariant(madeUpVariant(...args)).find((diagnosis) => diagnosis.id === id)!;

const valueOf = ({ evidence }: Finding, what: string) => evidence.find((item) => item.what.startsWith(what))?.value;

const finals = (change: Partial<FinalScores>): FinalScores => ({
  verdict: 'healthy',
  trainGain: 10,
  heldoutGain: 10,
  heldoutReturn: -5,
  ...change,
});

const rounds = Array.from({ length: 12 }, (_, index) => index + 1);

describe('every known problem', () => {
  it('is named once, and of a run of which nothing is known none is found', () => {
    const diagnoses = diagnoseVariant(madeUpVariant([madeUpRun()]));
    expect(new Set(diagnoses.map(({ id }) => id)).size).toBe(7);
    expect(diagnoses.map(({ id }) => id)).toEqual(KNOWN_PROBLEMS.map(({ id }) => id));
    expect(diagnoses.filter(({ found }) => found === 'yes')).toEqual([]);
  });

  it('has a remedy and a headline that is a sentence', () => {
    for (const { headline, remedy } of diagnoseVariant(madeUpVariant([madeUpRun()]))) {
      expect(headline).toMatch(/^\S.*\.$/);
      expect(remedy).toMatch(/\.$/);
    }
  });

  it('has a remedy that names no strategy which a spec cannot have', () => {
    const last = finals({ heldoutGain: 2 });
    for (const strategyKind of Object.keys(STRATEGIES)) {
      const remedies = diagnoseVariant(madeUpVariant([madeUpRun({ last })], { strategyKind })).map(
        ({ remedy }) => remedy,
      );
      const named = remedies.flatMap((remedy) => [...remedy.matchAll(/"(\w+)"/g)].map(([, name]) => name));
      expect(named.length).toBeGreaterThan(0);
      expect(Object.keys(STRATEGIES)).toEqual(expect.arrayContaining(named));
    }
  });
});

describe('overfit_to_simulator', () => {
  const runsWith = (gains: readonly (readonly [train: number, heldout: number])[]): RunHistory[] =>
    gains.map(([trainGain, heldoutGain], seed) => madeUpRun({ seed, last: finals({ trainGain, heldoutGain }) }));

  it('is found where the runs together lose more than the limit, with the interval over five runs', () => {
    const gains = [
      [10, 2],
      [10, 3],
      [10, 4],
      [10, 2],
      [10, 4],
    ] as const;
    const finding = find('overfit_to_simulator', runsWith(gains));
    expect(finding.found).toBe('yes');
    // 1 − 15/50
    expect(finding.headline).toContain('70 %');
    expect(valueOf(finding, 'relative gap')).toBeCloseTo(0.7, 12);
    expect(valueOf(finding, '95 % interval')).toMatch(/^\d+ % to \d+ %$/);
  });

  it('is not found at the limit itself, nor where held-out simulators are the easier ones', () => {
    expect(find('overfit_to_simulator', runsWith([[10, 8]])).found).toBe('no');
    const easier = find('overfit_to_simulator', runsWith([[10, 15]]));
    expect(easier).toMatchObject({ found: 'no', headline: expect.stringContaining('50 % larger') });
    expect(valueOf(easier, '95 % interval')).toBe('none below 5 runs');
  });

  it('is helped by more simulators than the strategy has already', () => {
    const remedyOf = (strategyKind: string): string =>
      diagnoseVariant(madeUpVariant(runsWith([[10, 2]]), { strategyKind })).find(
        ({ id }) => id === 'overfit_to_simulator',
      )!.remedy;
    expect(remedyOf('frozen')).toBe(overfitToSimulator.remedy);
    expect(remedyOf('frozen')).toContain('strategy "pool"');
    expect(remedyOf('pool')).toMatch(/Widen the pool.*"random_generator" or "adaptive"/);
    for (const kind of ['adaptive', 'random_generator']) expect(remedyOf(kind)).toMatch(/^Draw from more/);
  });

  it('is unknown where nothing is held out, and where no run has learnt anything', () => {
    expect(find('overfit_to_simulator', [madeUpRun({ last: finals({ heldoutGain: null }) })]).found).toBe('unknown');
    const untrained = madeUpRun({ last: finals({ verdict: 'untrained', trainGain: 0.1, heldoutGain: -1 }) });
    expect(find('overfit_to_simulator', [untrained, untrained]).headline).toContain('None of 2 runs');
  });
});

describe('pool_too_wide', () => {
  /** Changes of ±1 a round up to the sixth, then of ±`after`; "wide" enters with returns that spread `ratio` times as wide. */
  const runWith = ({ after, ratio }: { after: number; ratio: number }): RunHistory => {
    const values = rounds.map((round) => (round % 2) * (round <= 6 ? 1 : after));
    return madeUpRun({
      pools: [poolOf(0, ['a']), poolOf(6, ['a', 'wide'])],
      rounds: rounds.map((round, index) => {
        const old = trainedIn('a', { returnMean: values[index]! });
        const added = trainedIn('wide', { returnStd: 2 * ratio, returnMean: values[index]! - 40 });
        return trainedRound(round, round <= 6 ? [old] : [old, added]);
      }),
    });
  };

  it('is found where a simulator with a wider spread of returns enters and the curve gets rough', () => {
    const finding = find('pool_too_wide', [runWith({ after: 5, ratio: 3 })]);
    expect(finding.found).toBe('yes');
    expect(valueOf(finding, 'spread of returns')).toBe(3);
    expect(valueOf(finding, 'between the highest')).toBe(40);
    expect(valueOf(finding, 'variance')).toBeGreaterThan(4);
  });

  it('is not found where returns spread alike, where the curve stays as it was, and with one simulator', () => {
    expect(find('pool_too_wide', [runWith({ after: 5, ratio: 2 })]).found).toBe('no');
    expect(find('pool_too_wide', [runWith({ after: 1, ratio: 3 })]).found).toBe('no');
    const alone = madeUpRun({ pools: [poolOf(0, ['a'])], rounds: [trainedRound(1, [trainedIn('a')])] });
    expect(find('pool_too_wide', [alone])).toMatchObject({
      found: 'no',
      headline: expect.stringContaining('one simulator'),
    });
  });

  it('is unknown where nothing was added, and where the draws of a range are not kept apart', () => {
    const pair = [trainedIn('a'), trainedIn('b', { returnStd: 9 })];
    const fixed = madeUpRun({
      pools: [poolOf(0, ['a', 'b'])],
      rounds: rounds.map((round) => trainedRound(round, pair)),
    });
    expect(find('pool_too_wide', [fixed])).toMatchObject({
      found: 'unknown',
      headline: expect.stringContaining('4.5'),
    });
    const drawn = madeUpRun({ pools: [poolOf(0, ['a'], true)], rounds: [trainedRound(1, [trainedIn('a')])] });
    expect(find('pool_too_wide', [drawn]).found).toBe('unknown');
  });
});

describe('generator_undirected', () => {
  /** A simulator enters after every second round; validation is measured then, from `firstRound` on. */
  const runWith = (validation: readonly number[], heldoutReturn: number, firstRound = 2): RunHistory => {
    const admitted = validation.map((_, index) => firstRound + 2 * index);
    return madeUpRun({
      last: finals({ heldoutReturn }),
      pools: [poolOf(0, ['a']), ...admitted.map((round) => poolOf(round, ['a', `entered-${round}`]))],
      evaluations: validation.map((validationReturn, index) => evaluatedRound(admitted[index]!, { validationReturn })),
    });
  };
  const adaptive = (lead: number) => ({
    strategyKind: 'adaptive',
    randomSibling: { variant: 'random', heldoutBySeed: new Map([[0, -5 - lead]]) },
  });
  const failing = (round: number, damping: number) => ({
    round,
    simulator: simulatorOf(openSpread({ agents: 2 }), { rules: { damping } }),
  });
  const [rare, frequent] = [
    [-9, -10, -8, -9, -11],
    [-9, -8, -7, -8, -6],
  ] as const;

  it('is found where validation rose across fewer than half of the admissions and random draws did as well', () => {
    const finding = find('generator_undirected', [runWith(rare, -5)], adaptive(-1));
    expect(finding.found).toBe('yes');
    expect(valueOf(finding, 'changes of the validation return')).toBe(1 / 4);
    expect(valueOf(finding, 'mean change')).toBe((-1 + 2 - 1 - 2) / 4);
    expect(valueOf(finding, 'held-out return above')).toBe(-1);
    for (const what of ['distance', 'new simulators that go back']) expect(valueOf(finding, what)).toBeNull();
  });

  it('tells how many new simulators go back to a failure and how far from failures they are, where something was mined', () => {
    const entered = [true, false, false, false].map((isFromFailure, index) => ({
      ...failing(2 + index, 0.2),
      isFromFailure,
    }));
    const run = { ...runWith(rare, -5), entered, failing: [failing(2, 0.3)] };
    const ranges = { randomization: { 'rules.damping': [0, 0.5] as const } };
    const finding = find('generator_undirected', [run], { ...adaptive(-1), ...ranges });
    expect(valueOf(finding, 'new simulators that go back')).toBe(1 / 4);
    expect(valueOf(finding, 'distance')).toBeCloseTo(0.1 / 0.5, 12);
  });

  it('is not found where validation mostly rose, where random draws did worse, and of strategies that make nothing', () => {
    expect(find('generator_undirected', [runWith(frequent, -5)], adaptive(-1)).found).toBe('no');
    expect(find('generator_undirected', [runWith(rare, -5)], adaptive(2)).found).toBe('no');
    for (const strategyKind of ['pool', 'random_generator']) {
      expect(find('generator_undirected', [runWith(rare, -5)], { strategyKind }).found).toBe('no');
    }
  });

  it('counts a change once, however many admissions lie between its two evaluations', () => {
    const run = runWith(rare, -5);
    // Two more admissions in each of the first two pairs, which hold the only rise.
    const more = [...run.pools, ...[3, 5].flatMap((round) => [poolOf(round, ['x']), poolOf(round, ['y'])])];
    const pools = more.toSorted((one, other) => one.round - other.round);
    const finding = find('generator_undirected', [{ ...run, pools }], adaptive(-1));
    const { found, headline } = find('generator_undirected', [run], adaptive(-1));
    expect(finding).toMatchObject({ found, headline });
    expect(valueOf(finding, 'changes measured')).toBe(rare.length - 1);
    // Counted by simulators: so many entered between one evaluation and the next, and validation rose after the second lot.
    expect(valueOf(finding, 'simulators after')).toBe(4 / (3 + 4 + 2 + 1));
  });

  it('leaves out the change from the untrained policy, and changes without an admission in between', () => {
    const fromStart = find('generator_undirected', [runWith([-99, ...rare], -5, 0)], adaptive(-1));
    expect(valueOf(fromStart, 'changes measured')).toBe(rare.length - 1);
    expect(valueOf(fromStart, 'mean change')).toBe((-1 + 2 - 1 - 2) / 4);
    const run = runWith([...rare, 0], -5);
    const pools = run.pools.filter(({ round }) => round !== 2 * rare.length);
    expect(valueOf(find('generator_undirected', [{ ...run, pools }], adaptive(-1)), 'changes measured')).toBe(4);
  });

  it('is unknown with fewer than four changes in all runs, and where nothing was drawn at random to compare with', () => {
    const unmeasured = madeUpRun({ pools: [poolOf(0, ['a']), poolOf(2, ['b'])] });
    expect(find('generator_undirected', [unmeasured], adaptive(-1)).found).toBe('unknown');
    const short = runWith(rare.slice(0, 3), -5);
    expect(find('generator_undirected', [short], adaptive(-1)).headline).toContain('only 2');
    expect(find('generator_undirected', [short, short], adaptive(-1)).found).not.toBe('unknown');
    const alone = find('generator_undirected', [runWith(rare, -5)], { strategyKind: 'adaptive' });
    expect(alone).toMatchObject({ found: 'unknown', headline: expect.stringContaining('random_generator') });
  });
});

describe('out_of_memory', () => {
  const attempt = (number: number, outcome: string, peakRssMib: number | null) => ({
    number,
    kind: 'train_round',
    round: 3,
    outcome,
    peakRssMib,
  });

  it('is found where an attempt was killed for it, with its peak against the limit', () => {
    const run = madeUpRun({ attempts: [attempt(1, 'done', 300), attempt(2, 'out_of_memory', 2060)] });
    expect(find('out_of_memory', [run])).toMatchObject({
      found: 'yes',
      evidence: [{ what: expect.stringContaining('attempt 2'), value: 2060, limit: 2048 }],
    });
  });

  it('is helped by what the program can turn, where a program of the user trains', () => {
    const run = madeUpRun({ attempts: [attempt(1, 'out_of_memory', 2060)] });
    const remedies = [false, true].map(
      (isTrainedElsewhere) => find('out_of_memory', [run], { isTrainedElsewhere }).remedy,
    );
    expect(remedies[0]).toContain('execution.sampler_processes');
    expect(remedies[1]).toContain('trainer.settings');
    expect(remedies[1]).not.toContain('sampler_processes');
  });

  it('is not found where attempts failed otherwise', () => {
    const run = madeUpRun({ attempts: [attempt(1, 'lost', null), attempt(2, 'done', 300)] });
    expect(find('out_of_memory', [run])).toMatchObject({ found: 'no', evidence: [{ value: 300, limit: 2048 }] });
  });

  it('is unknown before an attempt has ended', () => {
    expect(find('out_of_memory', [madeUpRun()]).found).toBe('unknown');
  });
});

describe('not_reproducible', () => {
  const replayed = (outcome: 'equal' | 'differs' | 'differs_elsewhere') =>
    madeUpRun({ replay: { outcome, summary: 'round 3' } });

  it('is found where a round played again gave other numbers', () => {
    const finding = find('not_reproducible', [replayed('equal'), replayed('differs')]);
    expect(finding).toMatchObject({ found: 'yes', headline: expect.stringContaining('1 of 2 rounds') });
    expect(finding.evidence).toHaveLength(2);
  });

  it('is not found where it gave the same', () => {
    expect(find('not_reproducible', [replayed('equal'), madeUpRun()]).found).toBe('no');
  });

  it('is unknown before a round is played again, and where another machine gave other numbers', () => {
    expect(find('not_reproducible', [madeUpRun()]).headline).toContain('--reproduce example/pool/0');
    expect(find('not_reproducible', [replayed('differs_elsewhere')]).found).toBe('unknown');
  });
});

describe('training_time_grows', () => {
  const pool = (size: number) => Array.from({ length: size }, (_, index) => trainedIn(`s${index}`));
  const runWith = (timeOf: (round: number) => number, sizeOf: (round: number) => number): RunHistory =>
    madeUpRun({ rounds: rounds.map((round) => trainedRound(round, pool(sizeOf(round)), { wallS: timeOf(round) })) });

  it('is found where an env step takes longer and longer while the pool grows', () => {
    const finding = find('training_time_grows', [
      runWith(
        (round) => round,
        (round) => round,
      ),
    ]);
    expect(finding.found).toBe('yes');
    // The medians of rounds 9 to 12 and 1 to 4.
    expect(valueOf(finding, 'time of an env step')).toBeCloseTo(10.5 / 2.5, 12);
    expect(valueOf(finding, 'time by simulator')).toBeNull();
    expect(valueOf(finding, 'share of the last round')).toBe(`${Math.round(100 / 12)} %, mean return -10`);
  });

  it('is not found where the pool stays, where a single round was slow, and where longer rounds play more', () => {
    const constant = () => 3;
    expect(find('training_time_grows', [runWith((round) => round, constant)]).found).toBe('no');
    expect(
      find('training_time_grows', [
        runWith(
          (round) => (round === 12 ? 99 : 1),
          (round) => round,
        ),
      ]).found,
    ).toBe('no');
    const longer = rounds.map((round) => trainedRound(round, pool(round), { wallS: round, envSteps: 1000 * round }));
    expect(find('training_time_grows', [madeUpRun({ rounds: longer })]).found).toBe('no');
  });

  it('is unknown after fewer than six rounds', () => {
    const short = madeUpRun({ rounds: rounds.slice(0, 5).map((round) => trainedRound(round, pool(round))) });
    expect(find('training_time_grows', [short]).found).toBe('unknown');
  });
});

describe('evaluation_noisy', () => {
  /**
   * Evaluations in which the mean moves by ±`shift` and episode e by ±`scatter` more, on two held-out simulators. The
   * standard error of a change is then close to 2·scatter/√E.
   */
  const runWith = ({ shift, scatter }: { shift: number; scatter: number }): RunHistory =>
    madeUpRun({
      last: finals({ trainGain: 10 }),
      evaluations: [0, ...rounds].map((round) => {
        const level = round === 0 ? -99 : (round % 2) * shift;
        const returns = Array.from({ length: 16 }, (_, episode) => level + (-1) ** (round + episode) * scatter);
        return evaluatedRound(round, { heldoutEpisodes: [returns, returns] });
      }),
    });

  it('is found where the return jumps by more than the verdict is about, and most of it is chance', () => {
    const finding = find('evaluation_noisy', [runWith({ shift: 1.5, scatter: 3 })]);
    expect(finding.found).toBe('yes');
    expect(valueOf(finding, 'changes compared')).toBe(rounds.length - 1);
    // Differences of ±2·scatter over 16 episodes, n − 1.
    const standardError = (2 * 3 * Math.sqrt(16 / 15)) / Math.sqrt(16);
    expect(valueOf(finding, 'standard error')).toBeCloseTo(standardError, 12);
  });

  it('is not found where the policy itself jumps, where jumps are small, and where nothing moves', () => {
    expect(find('evaluation_noisy', [runWith({ shift: 5, scatter: 0.5 })]).found).toBe('no');
    expect(find('evaluation_noisy', [runWith({ shift: 0.1, scatter: 1 })]).found).toBe('no');
    expect(find('evaluation_noisy', [runWith({ shift: 0, scatter: 0 })]).found).toBe('no');
  });

  it('is unknown with fewer than four changes between trained policies, and where nothing was learnt', () => {
    const run = runWith({ shift: 1.5, scatter: 3 });
    expect(find('evaluation_noisy', [{ ...run, evaluations: run.evaluations.slice(0, 5) }]).found).toBe('unknown');
    expect(find('evaluation_noisy', [{ ...run, last: finals({ trainGain: -0.2 }) }]).found).toBe('unknown');
  });
});

import { describe, expect, it } from 'vitest';
import { FAILING_SITUATIONS } from '../../test/support/made-up-mined.ts';
import { decideThroughRun } from '../../test/support/strategy-history.ts';
import { evidenceAtStart, ROUNDS } from '../../test/support/strategy-situation.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { replayShares } from '../failures/admission/replay.ts';
import type { EpisodeSample } from '../rollout/episode-sample.ts';
import type { EpisodeSummary } from '../rollout/episode-tally.ts';
import type { Evidence, PoolEntry, Strategy } from './contract.ts';
import { drawSimulator, numberAt } from './draw-simulator.ts';
import { failureDriven } from './failure-driven.ts';
import { randomGenerator } from './random-generator.ts';

const situation = FAILING_SITUATIONS.spread;
const { world, train, ranges, validation } = situation;
const strategy: Strategy = failureDriven;
const POOL = { size: 6, added: 2, every_rounds: 2, fresh_share: 0.25 };
const FRUGAL = { ...POOL, mining: { every_rounds: 4 }, draws: 4, edits: 4 };
const ALONE = { ...POOL, mining: 'none', novelty: 0 };

const startWith = (written: object) => evidenceAtStart(strategy, situation, { ...written });
const run = (written: object, seed = 1) => decideThroughRun(strategy, { start: startWith(written), situation, seed });
const isFresh = ({ randomization }: PoolEntry) => Object.keys(randomization).length > 0;
const pooled = (pool: readonly PoolEntry[]) => pool.filter((entry) => !isFresh(entry));
const namesOf = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);

const steps = run(FRUGAL);
const later = steps.slice(1);

describe('failure_driven without failures and without a score', () => {
  const plain = run({ ...ALONE, score: 'none', draws: 1 }, 3);
  const control = evidenceAtStart(randomGenerator, situation, POOL);
  const expected = decideThroughRun(randomGenerator, { start: control, situation, seed: 3 });

  it('is random_generator: the same names, simulators, weights and evictions under one seed', () => {
    const told = (pool: readonly PoolEntry[]) => pool.map(({ contribution: _, ...entry }) => entry);
    expect(plain.map(({ decision }) => told(decision.pool))).toEqual(expected.map(({ decision }) => decision.pool));
    expect(plain.map(({ decision }) => namesOf(decision.evictions!))).toEqual(
      expected.map(({ decision }) => namesOf(decision.evictions!)),
    );
    expect(plain.length).toBeGreaterThan(POOL.size / POOL.added + 1);
  });

  it('needs neither episodes one by one nor a validation panel, and mines nothing', () => {
    const { options } = startWith({ ...ALONE, score: 'none' });
    expect(strategy.needs(options)).toEqual([]);
    for (let round = 0; round <= ROUNDS; round += 1) expect(strategy.mining(options, round)).toBeNull();
    expect(strategy.needs(startWith(FRUGAL).options)).toEqual(['episode_samples', 'validation_panel']);
  });
});

describe('failure_driven with a planted hard region', () => {
  const [low, high] = ranges['rules.damping']!;
  const middle = (low + high) / 2;
  const column = world.parameters.findIndex(({ path }) => path === 'rules.damping');
  const dampingOf = (entry: Pick<PoolEntry, 'simulator'>) => numberAt(entry.simulator, 'rules.damping')!;

  /** Episodes of draws that go worse than expected where damping is in one half of its range. */
  function planted(isHard: (damping: number) => boolean): EpisodeSample[] {
    const random = new RandomStream(keyFrom(8));
    return Array.from({ length: 300 }, (_, index) => {
      const { simulator } = train[index % train.length]!;
      const parameters = world.compile(drawSimulator(simulator, ranges, world.parameters, random));
      const noise = random.nextUniform() - 0.5;
      const shortfall = (isHard(parameters[column]!) ? 1 : 0) + noise;
      return { parameters, return: -shortfall, success: false, shortfall };
    });
  }

  function admitted(isHard: (damping: number) => boolean, changes: object = {}) {
    const start = startWith({ ...ALONE, ...changes });
    const first = decideThroughRun(strategy, { start, situation, seed: 2 })[0]!;
    const evidence: Evidence = { ...start, roundIndex: 2, samples: planted(isHard) };
    const random = new RandomStream(keyFrom(5));
    const proposal = strategy.propose(first.decision.state, evidence, random);
    const decision = strategy.decide(proposal, evidence, {}, random);
    const names = namesOf(proposal.candidates);
    return { proposal, decision, entered: decision.pool.filter(({ name }) => names.includes(name)) };
  }

  it.each(['shortfall', 'low_return'])('lets draws of that region in, by %s', (score) => {
    for (const isHard of [(damping: number) => damping > middle, (damping: number) => damping < middle]) {
      const { entered, proposal } = admitted(isHard, { score });
      expect(entered).toHaveLength(POOL.added);
      expect(entered.every((entry) => isHard(dampingOf(entry)))).toBe(true);
      // There was something to choose from.
      expect(proposal.candidates.some((candidate) => !isHard(dampingOf(candidate)))).toBe(true);
    }
  });

  it('tells the predicted score of every candidate, larger in the region, and refuses the outdone ones with a reason', () => {
    const { proposal, decision } = admitted((damping) => damping > middle);
    const scores = (isHard: boolean) =>
      proposal.candidates.flatMap((candidate, index) =>
        dampingOf(candidate) > middle === isHard ? [decision.judgements![index]!.score] : [],
      );
    const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(meanOf(scores(true))).toBeGreaterThan(meanOf(scores(false)) + 0.5);
    const refusals = decision.judgements!.filter(({ refusal }) => refusal !== null);
    expect(refusals).toHaveLength(proposal.candidates.length - POOL.added);
  });

  it('does not look for it where no score is asked for', () => {
    const { proposal, entered } = admitted((damping) => damping > middle, { score: 'none' });
    expect(namesOf(entered)).toEqual(namesOf(proposal.candidates.slice(0, POOL.added)));
  });
});

describe('candidates of failure_driven', () => {
  it('made of failures name the failure and the validation simulator it happened in', () => {
    let minedIn = 0;
    for (const { evidence, proposal } of later) {
      if (evidence.mined !== null) minedIn = evidence.roundIndex;
      const made = proposal.candidates.filter(({ failure }) => failure !== undefined);
      expect(made.length).toBe(minedIn === 0 ? 0 : POOL.added * FRUGAL.edits);
      for (const { failure, parents, name } of made) {
        expect(failure!.startsWith(`${minedIn}.`)).toBe(true);
        expect(namesOf(validation)).toContain(parents[0]);
        expect(name.startsWith(`${parents[0]}@${failure}~`)).toBe(true);
      }
    }
    const named = later.flatMap(({ proposal }) => namesOf(proposal.candidates));
    expect(new Set(named).size).toBe(named.length);
    // Also between two minings.
    const between = later
      .filter(({ evidence }) => evidence.mined === null)
      .flatMap(({ proposal }) => proposal.candidates);
    expect(between.some(({ failure }) => failure !== undefined)).toBe(true);
  });

  it('made of failures are made of the very failure they name', () => {
    for (const { evidence, proposal } of later.filter((step) => step.evidence.mined !== null)) {
      for (const { failure, parents } of proposal.candidates) {
        if (failure === undefined) continue;
        const place = Number(failure.split('.')[1]) - 1;
        expect(evidence.mined!.failures[place]!.name).toBe(parents[0]);
      }
    }
  });

  it('in the pool go on naming both, as long as they stay', () => {
    const lineages = new Map(
      later.flatMap(({ proposal }) => proposal.candidates.map((each) => [each.name, [each.failure, each.parents]])),
    );
    let made = 0;
    for (const { decision } of later) {
      for (const { name, failure, parents } of pooled(decision.pool)) {
        if (!lineages.has(name)) continue;
        expect([failure, parents]).toEqual(lineages.get(name));
        made += failure === undefined ? 0 : 1;
      }
    }
    expect(made).toBeGreaterThan(0);
  });
});

describe('candidates of a generator that is not trusted', () => {
  const learned = { ...FRUGAL, mining: { every_rounds: 2 }, generator: 'learned', edits: 3 };
  const start = startWith(learned);
  const summary = (returnMean: number): EpisodeSummary => ({
    ...{ episodes: 16, returnMean, returnStd: 1, lengthMean: 25, successRate: 0 },
  });
  const USUAL = -20;
  const straight = decideThroughRun(strategy, { start, situation, seed: 1 });

  function decideWith(returnOf: (place: number) => number) {
    const evidence: Evidence = {
      ...straight[2]!.evidence,
      training: ['a', 'b'].map((name) => ({ ...summary(USUAL), name, scores: null })),
    };
    const random = new RandomStream(keyFrom(5));
    const proposal = strategy.propose(straight[1]!.decision.state, evidence, random);
    const scores = Object.fromEntries(
      proposal.probes.map(({ candidate }, place) => [candidate, summary(returnOf(place))]),
    );
    const decision = strategy.decide(proposal, evidence, scores, random);
    const refusals = new Map(decision.judgements!.map(({ candidate, refusal }) => [candidate, refusal]));
    const made = proposal.candidates.filter(({ failure }) => failure !== undefined);
    return { made, refusals, probed: proposal.probes.map(({ candidate }) => candidate), decision, proposal };
  }

  it('are played, those predicted best, and those not played never enter', () => {
    const { made, refusals, probed, decision, proposal } = decideWith(() => USUAL - 5);
    expect(probed).toHaveLength(POOL.added);
    expect(made.length).toBeGreaterThan(probed.length);
    const scores = new Map(decision.judgements!.map(({ candidate, score }) => [candidate, score]));
    for (const { name } of made.filter((each) => !probed.includes(each.name))) {
      expect(refusals.get(name)).toMatch(/^not played/);
      expect(namesOf(decision.pool)).not.toContain(name);
      for (const played of probed) expect(scores.get(played)).toBeGreaterThanOrEqual(scores.get(name)!);
    }
    for (const name of probed) expect(refusals.get(name) ?? 'outdone').toMatch(/^outdone/);
    expect(proposal.probes.reduce((sum, { episodes }) => sum + episodes, 0)).toBe(
      strategy.probeEpisodesMax(start.options, ROUNDS),
    );
  });

  it('are refused as trivial where they are played as well as the pool, or better', () => {
    for (const returnMean of [USUAL, USUAL + 3]) {
      const { made, refusals, probed, decision } = decideWith(() => returnMean);
      expect(probed.length).toBeGreaterThan(0);
      for (const name of probed) expect(refusals.get(name)).toMatch(/^trivial/);
      for (const { name } of made) expect(namesOf(decision.pool)).not.toContain(name);
      expect(decision.judgements!.filter(({ refusal }) => refusal === null)).toHaveLength(POOL.added);
    }
  });

  it('leave a state that is the same after it was stored as JSON', () => {
    const store = (state: object) => JSON.parse(JSON.stringify(state)) as Record<string, unknown>;
    expect(decideThroughRun(strategy, { start, situation, seed: 1, store })).toEqual(straight);
    for (const { decision } of straight) expect(store(decision.state)).toEqual(decision.state);
  });
});

describe('the pool of failure_driven', () => {
  it('that nothing leaves grows by those that enter, to the size it said', () => {
    const growing = run({ ...ALONE, eviction: 'none', draws: 2 });
    growing.forEach(({ decision }, index) => {
      expect(pooled(decision.pool)).toHaveLength(POOL.size + index * POOL.added);
      expect(decision.evictions).toEqual([]);
    });
    expect(growing.at(-1)!.decision.pool).toHaveLength(strategy.playedMax(startWith({ ...ALONE, eviction: 'none' })));
  });

  it('lets those go that taught least, and says how much it was', () => {
    const evicting = run({ ...ALONE, eviction: 'least_contribution', draws: 2 });
    let judged = 0;
    for (const [index, { decision }] of evicting.slice(1).entries()) {
      const left = decision.evictions!;
      expect(left).toHaveLength(POOL.added);
      for (const name of namesOf(left)) expect(namesOf(evicting[index]!.decision.pool)).toContain(name);
      const least = Math.min(...pooled(decision.pool).map(({ contribution }) => contribution ?? Infinity));
      for (const { contribution } of left) {
        expect(contribution ?? Infinity).toBeLessThanOrEqual(least);
        judged += contribution === undefined ? 0 : 1;
      }
    }
    expect(judged).toBeGreaterThan(0);
  });

  it('plays its entries by the rank of their contribution where that is asked for', () => {
    for (const replay of ['rank', 'uniform'] as const) {
      for (const { decision } of run({ ...ALONE, replay, draws: 2 })) {
        const entries = pooled(decision.pool);
        const shares = replayShares(
          replay,
          entries.map(({ contribution }) => contribution ?? NaN),
        );
        entries.forEach(({ weight }, index) => expect(weight).toBeCloseTo((1 - POOL.fresh_share) * shares[index]!, 12));
      }
    }
  });

  it('is mined for at the rounds that fall together with a decision, never at the start', () => {
    const { options } = startWith({ ...POOL, mining: { every_rounds: 3 } });
    const rounds = Array.from({ length: ROUNDS + 1 }, (_, round) => round);
    const mined = rounds.filter((round) => strategy.isDue(options, round) && strategy.mining(options, round) !== null);
    expect(mined).toEqual([6, 12]);
  });
});

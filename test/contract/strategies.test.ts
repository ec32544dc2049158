import { describe, expect, it } from 'vitest';
import type { Decision, Evidence } from '../../learning/strategies/contract.ts';
import { crossPartners } from '../../learning/strategies/cross-partners.ts';
import { numberAt } from '../../learning/strategies/draw-simulator.ts';
import { STRATEGIES } from '../../learning/strategies/registry.ts';
import type { PartnerData, SimulatorData } from '../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { decideThroughRun, type MadeUpRun, type Step } from '../support/strategy-history.ts';
import { evidenceAtStart, SITUATIONS } from '../support/strategy-situation.ts';

// What every strategy promises, decision after decision. A strategy is tested by being in the registry; `CASES` must say
// with which options.

interface StrategyCase {
  /** Where it is tested; simple_spread with one learner and one partner, unless it says otherwise. */
  readonly situation?: keyof typeof SITUATIONS;
  /** Valid options as a spec writes them. */
  readonly valid: readonly Record<string, unknown>[];
  /** Whether some of them decide by chance, or leave draws to each episode. */
  readonly draws: boolean;
  /** Whether some of them draw from `randomization`; as `draws` where it does not say. */
  readonly varies?: boolean;
  /** Options that the schema accepts, changes of the evidence that make them wrong, and the key to be named. */
  readonly wrong: readonly { options: Record<string, unknown>; evidence?: Partial<Evidence>; key: string }[];
}

const CASES: Readonly<Record<string, StrategyCase>> = {
  frozen: {
    valid: [{ simulator: 'zero' }],
    draws: false,
    wrong: [
      { options: { simulator: 'nowhere' }, key: 'simulator' },
      { options: { simulator: 'top' }, key: 'simulator' },
    ],
  },
  pool: {
    valid: [{ size: 1 }, { size: 2, weights: [1, 3] }, { size: 5 }],
    draws: true,
    wrong: [
      { options: { size: 3 }, evidence: { randomization: {} }, key: 'size' },
      { options: { size: 1 }, evidence: { trainPanel: [] }, key: 'size' },
      { options: { size: 2, weights: [1] }, key: 'weights' },
    ],
  },
  domain_randomization: {
    situation: 'tag',
    valid: [{ simulator: 'corner' }],
    draws: true,
    wrong: [
      { options: { simulator: 'nowhere' }, key: 'simulator' },
      { options: { simulator: 'corner' }, evidence: { randomization: {} }, key: 'kind' },
    ],
  },
  curriculum: {
    valid: [
      { stages: [{ simulator: 'zero', threshold: -8 }, { simulator: 'left', threshold: -5 }, { simulator: 'zero' }] },
      { stages: [{ simulator: 'left', threshold: 0 }], every_rounds: 5 },
    ],
    draws: false,
    wrong: [
      { options: { stages: [{ simulator: 'top' }] }, key: 'stages' },
      { options: { stages: [{ simulator: 'zero' }, { simulator: 'left' }] }, key: 'stages' },
    ],
  },
  random_generator: {
    valid: [{}, { size: 3, added: 3 }, { size: 2, added: 1, fresh_share: 0, every_rounds: 3 }],
    draws: true,
    wrong: [
      { options: {}, evidence: { randomization: {} }, key: 'kind' },
      { options: {}, evidence: { trainPanel: [] }, key: 'kind' },
      { options: { size: 2, added: 3 }, key: 'added' },
    ],
  },
  novelty_generator: {
    valid: [{}, { size: 3, added: 3, draws: 4 }, { size: 2, added: 1, fresh_share: 0, every_rounds: 3 }],
    draws: true,
    wrong: [
      { options: {}, evidence: { randomization: {} }, key: 'kind' },
      { options: { size: 2, added: 3 }, key: 'added' },
    ],
  },
  failure_driven: {
    situation: 'tag',
    valid: [
      {},
      { mining: 'none', score: 'none', novelty: 1, replay: 'rank' },
      { mining: { every_rounds: 2, groups: 1 }, edits: 8, draws: 2, eviction: 'least_contribution', fresh_share: 0 },
      { mining: { every_rounds: 1, draws: 'fixed' }, edit_kinds: ['partner'], eviction: 'none', score: 'learnability' },
      { size: 3, added: 1, every_rounds: 3, mining: { every_rounds: 3, select: 'random' }, score: 'low_return' },
    ],
    draws: true,
    wrong: [
      { options: {}, evidence: { randomization: {} }, key: 'kind' },
      { options: {}, evidence: { trainPanel: [] }, key: 'kind' },
      { options: { size: 2, added: 3 }, key: 'added' },
    ],
  },
  self_play: {
    situation: 'tag',
    valid: [{}, { simulators: ['orbit', 'corner'] }],
    draws: false,
    wrong: [
      { options: { simulators: ['flee'] }, key: 'simulators' },
      { options: { simulators: ['orbit', 'orbit'] }, key: 'simulators' },
      { options: {}, evidence: { trainPanel: [] }, key: 'simulators' },
      { options: {}, evidence: { learners: [0, 1, 2, 3] }, key: 'kind' },
    ],
  },
  population: {
    situation: 'tag',
    valid: [{}, { size: 2, every_rounds: 3, current_share: 0.25, simulators: ['orbit', 'corner'] }],
    draws: false,
    wrong: [
      { options: { current_share: 0 }, key: 'current_share' },
      { options: {}, evidence: { learners: [0, 1, 2, 3] }, key: 'kind' },
    ],
  },
  co_train: {
    valid: [{}, { reward: 'curriculum', simulators: ['left', 'zero'] }],
    draws: false,
    wrong: [
      {
        options: { reward: 'curriculum' },
        evidence: { hyperparameters: { parallel_environments: 12 } },
        key: 'reward',
      },
      { options: {}, evidence: { learners: [0, 1] }, key: 'kind' },
    ],
  },
  population_based_training: {
    valid: [{}, { size: 9, every_rounds: 3, rank_by: 'training', hyperparameters: { clip: [0.1, 0.4] } }],
    draws: true,
    varies: false,
    wrong: [
      { options: { hyperparameters: { epochs: [1, 8] } }, key: 'hyperparameters' },
      { options: { simulators: ['nowhere'] }, key: 'simulators' },
    ],
  },
  adaptive: {
    situation: 'tag',
    valid: [
      {},
      { size: 4, added: 2, edits: 2, score: 'max_mc', temperature: 0.1 },
      { size: 3, added: 1, edits: 3, score: 'learnability', robust: false, every_rounds: 2 },
      { size: 1, added: 4, score: 'relative_return_variance', staleness: 1 },
    ],
    draws: true,
    wrong: [
      { options: {}, evidence: { randomization: {} }, key: 'kind' },
      { options: {}, evidence: { trainPanel: [] }, key: 'kind' },
    ],
  },
};

it('every registered strategy has options to be tested with, and its own name', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(STRATEGIES).sort());
  for (const [kind, strategy] of Object.entries(STRATEGIES)) {
    expect(strategy.kind).toBe(kind);
    expect(strategy.summary).not.toBe('');
    expect(CASES[kind]!.valid.length).toBeGreaterThan(0);
    expect(CASES[kind]!.wrong.length).toBeGreaterThan(0);
  }
});

describe.each(Object.values(STRATEGIES).filter(({ kind }) => kind in CASES))('$kind', (strategy) => {
  const { valid, wrong, draws, varies = draws, situation = 'spread' } = CASES[strategy.kind]!;
  const { world, train, validation, ranges } = SITUATIONS[situation];

  const evidenceFor = (written: Record<string, unknown>, changes: Partial<Evidence> = {}): Evidence => ({
    ...evidenceAtStart(strategy, SITUATIONS[situation], written),
    ...changes,
  });

  const throughRun = (written: Record<string, unknown>, seed: number, store?: MadeUpRun['store']): Step[] =>
    decideThroughRun(strategy, {
      start: evidenceFor(written),
      situation: SITUATIONS[situation],
      seed,
      ...(store === undefined ? {} : { store }),
    });

  /** The decisions of one run for each of the valid options. */
  const runs = valid.map((written) => ({ written, steps: throughRun(written, 1) }));
  const everyStep: readonly Step[] = runs.flatMap(({ steps }) => steps);

  it('is due when a run starts', () => {
    for (const written of valid) expect(strategy.isDue(evidenceFor(written).options, 0)).toBe(true);
  });

  it('finds nothing wrong with valid options, and names the key of each wrong one', () => {
    for (const written of valid) expect(strategy.check(evidenceFor(written))).toEqual([]);
    for (const { options, evidence, key } of wrong) {
      const problems = strategy.check(evidenceFor(options, evidence));
      expect(problems.map((problem) => problem.key)).toContain(key);
      for (const { problem, remedy } of problems) expect([problem, remedy]).not.toContain('');
    }
  });

  it('refuses options it does not know', () => {
    const written = { kind: strategy.kind, ...valid[0] };
    expect(strategy.optionsSchema.safeParse(written).success).toBe(true);
    expect(strategy.optionsSchema.safeParse({ ...written, no_such_option: 1 }).success).toBe(false);
    const parsed = strategy.optionsSchema.parse(written);
    expect(strategy.optionsSchema.parse(parsed)).toEqual(parsed);
  });

  it('decides the same again from the same evidence and seed, and leaves the evidence as it was', () => {
    for (const { written, steps } of runs) {
      const before = steps.map(({ evidence }) => withoutCompiler(evidence));
      expect(throughRun(written, 1).map(decisionOf)).toEqual(steps.map(decisionOf));
      expect(steps.map(({ evidence }) => withoutCompiler(evidence))).toEqual(before);
    }
  });

  it('decides otherwise under another seed exactly where it draws, or leaves the drawing to each episode', () => {
    const differs = runs.some(({ written, steps }) => {
      const others = throughRun(written, 2);
      return JSON.stringify(others.map(decisionOf)) !== JSON.stringify(steps.map(decisionOf));
    });
    const drawsPerEpisode = everyStep.some(({ decision }) => decision.pool.some(isDrawnPerEpisode));
    expect(differs || drawsPerEpisode).toBe(draws);
  });

  it('says beforehand which simulators it varies with draws of the ranges', () => {
    for (const { written, steps } of runs) {
      const said = strategy.varied(evidenceFor(written)).map(({ name }) => name);
      expect(said.sort()).toEqual([...variedIn(steps)].sort());
    }
    expect(everyStep.some(({ evidence }) => strategy.varied(evidence).length > 0)).toBe(varies);
  });

  it('weighs every entry of the pool and every choice of partners positively, each all together with 1', () => {
    for (const { pool, partners } of everyStep.map(decisionOf)) {
      expect(pool.length).toBeGreaterThan(0);
      for (const weighed of [pool, partners].filter((each) => each.length > 0)) {
        expect(weighed.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
        for (const { weight, reason } of weighed) {
          expect(weight).toBeGreaterThan(0);
          expect(reason).not.toBe('');
        }
      }
    }
  });

  it('names every simulator that is played, partners crossed in, once', () => {
    for (const { decision } of everyStep) {
      const names = crossPartners(decision).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('says beforehand how many simulators are played at most, and reaches it', () => {
    for (const { written, steps } of runs) {
      const played = steps.map(({ decision }) => crossPartners(decision).length);
      expect(Math.max(...played)).toBe(strategy.playedMax(evidenceFor(written)));
    }
  });

  it('learns from something at every decision', () => {
    for (const { decision } of everyStep) expect(decision.pool.some(({ learns }) => learns)).toBe(true);
  });

  it('never trains on a held-out simulator', () => {
    const heldOut = validation.map(({ simulator }) => JSON.stringify(simulator));
    for (const { name, simulator } of everyStep.flatMap(({ decision }) => crossPartners(decision))) {
      expect(validation.map((entry) => entry.name)).not.toContain(name);
      expect(heldOut).not.toContain(JSON.stringify(simulator));
    }
  });

  it('keeps a state that survives being stored as JSON', () => {
    const store = (state: Decision['state']) => JSON.parse(JSON.stringify(state)) as Decision['state'];
    for (const { written, steps } of runs) {
      for (const { decision } of steps) expect(store(decision.state)).toEqual(decision.state);
      expect(throughRun(written, 1, store).map(decisionOf)).toEqual(steps.map(decisionOf));
    }
  });

  it('plays simulators that are valid, and whose parents exist', () => {
    for (const { steps } of runs) {
      const known = new Set([...train, ...validation].map(({ name }) => name));
      for (const { proposal, decision } of steps) {
        for (const { name } of [...proposal.candidates, ...decision.pool]) known.add(name);
        for (const { parents } of [...proposal.candidates, ...decision.pool]) {
          for (const parent of parents) expect(known).toContain(parent);
        }
        for (const { simulator } of [...proposal.candidates, ...crossPartners(decision)]) {
          const writable = withoutTrainedPartners(simulator);
          expect(world.simulatorSchema.parse(writable)).toEqual(writable);
        }
      }
    }
  });

  it('changes simulators within the ranges only, integers in whole steps', () => {
    for (const { steps } of runs) {
      const known = new Map(train.map(({ name, simulator }) => [name, simulator]));
      for (const { name, simulator, parents, failure } of steps.flatMap(({ proposal }) => proposal.candidates)) {
        if (parents.length > 0 && failure === undefined) expectDrawn(simulator, known.get(parents[0]!)!);
        known.set(name, simulator);
      }
    }
  });

  function expectDrawn(simulator: SimulatorData, parent: SimulatorData): void {
    expect(leavesBesides(simulator, Object.keys(ranges))).toEqual(leavesBesides(parent, Object.keys(ranges)));
    for (const [path, [low, high]] of Object.entries(ranges)) {
      const value = numberAt(simulator, path);
      expect(value === undefined).toBe(numberAt(parent, path) === undefined);
      if (value === undefined) continue;
      expect(value).toBeGreaterThanOrEqual(low);
      expect(value).toBeLessThanOrEqual(high);
      const { kind } = world.parameters.find((parameter) => parameter.path === path)!;
      if (kind === 'integer') expect(Number.isInteger(value)).toBe(true);
    }
  }

  it('probes only what it proposes, in no more episodes than it said', () => {
    for (const { evidence, proposal } of everyStep) {
      const names = proposal.candidates.map(({ name }) => name);
      for (const { candidate } of proposal.probes) expect(names).toContain(candidate);
      const episodes = proposal.probes.reduce((sum, probe) => sum + probe.episodes, 0);
      expect(episodes).toBeLessThanOrEqual(strategy.probeEpisodesMax(evidence.options, evidence.roundIndex));
    }
  });

  it('trains members who share the update blocks, and go on from members that there were', () => {
    for (const { steps } of runs) {
      let known: readonly string[] | undefined;
      for (const { evidence, decision } of steps) {
        const names = decision.members.map(({ name }) => name);
        const learners = decision.members.filter(({ seats }) => seats === 'learners');
        expect(new Set(names).size).toBe(names.length);
        expect(learners.length).toBe(strategy.learnerCount(evidence.options));
        expect(learners.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
        for (const { name, copies } of decision.members) expect(known ?? [name]).toContain(copies);
        known = names;
      }
    }
  });

  it('seats partners only where nobody learns, and lets neighbours start alike in whole numbers', () => {
    for (const { evidence, decision } of everyStep) {
      const seats = decision.partners.flatMap(({ partners }) => Object.keys(partners).map(Number));
      for (const seat of seats) {
        expect(evidence.learners).not.toContain(seat);
        expect(seat).toBeLessThan(evidence.seatCount);
      }
      expect(decision.episodeRule.groupSize).toBeGreaterThanOrEqual(1);
      expect(Number.isInteger(decision.episodeRule.groupSize)).toBe(true);
    }
  });
});

/** A copy of everything in the evidence but its function. */
const withoutCompiler = (evidence: Evidence) => structuredClone({ ...evidence, compile: null });

const decisionOf = ({ decision }: Step): Decision => decision;

const isDrawnPerEpisode = ({ randomization }: Decision['pool'][number]) => Object.keys(randomization).length > 0;

/** Names of the simulators from which all others were made by draws, or are made for every episode. */
function variedIn(steps: readonly Step[]): Set<string> {
  const parentsOf = new Map<string, readonly string[]>();
  // What is made of a failure is edited, not drawn.
  const drawn = steps.flatMap(({ proposal }) => proposal.candidates.filter(({ failure }) => failure === undefined));
  for (const { name, parents } of drawn) parentsOf.set(name, parents);
  const rootsOf = (name: string): readonly string[] => {
    const parents = parentsOf.get(name) ?? [];
    return parents.length === 0 ? [name] : parents.flatMap(rootsOf);
  };
  const children = [...parentsOf.entries()].filter(([, parents]) => parents.length > 0).map(([name]) => name);
  const perEpisode = steps
    .flatMap(({ decision }) => decision.pool.filter(isDrawnPerEpisode))
    .flatMap(({ name, parents }) => (parents.length > 0 ? parents : [name]));
  return new Set([...children, ...perEpisode].flatMap(rootsOf));
}

/** The specs of people have no partners of the kind `trained`, so their schema refuses these. */
function withoutTrainedPartners(simulator: SimulatorData): SimulatorData {
  const partners = Object.entries(simulator.partners).map(([seat, partner]): [string, PartnerData] => [
    seat,
    partner.kind === 'trained' ? { kind: 'self' } : partner,
  ]);
  return { ...simulator, partners: Object.fromEntries(partners) };
}

/** Every number and word of a simulator by its path, but those at the paths. */
function leavesBesides(value: unknown, paths: readonly string[], prefix = ''): [string, unknown][] {
  if (paths.includes(prefix)) return [];
  if (typeof value !== 'object' || value === null) return [[prefix, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesBesides(inner, paths, prefix === '' ? key : `${prefix}.${key}`),
  );
}

describe('a pool larger than its train panel', () => {
  const { pool } = STRATEGIES;
  const { train } = SITUATIONS.spread;
  const evidence = evidenceAtStart(pool!, SITUATIONS.spread, { size: 40 });

  it('is filled with different draws on its members in turn', () => {
    const { candidates } = pool!.propose(null, evidence, new RandomStream(keyFrom(1)));
    expect(candidates.length).toBe(40 - train.length);
    expect(candidates.map(({ parents }) => parents[0])).toEqual(
      candidates.map((_, index) => train[index % train.length]!.name),
    );
    expect(new Set(candidates.map(({ simulator }) => JSON.stringify(simulator))).size).toBe(candidates.length);
    expect(new Set(candidates.map(({ simulator }) => simulator.perturbations['action_delay']))).toEqual(
      new Set([1, 2, 3]),
    );
  });

  it('leaves a range out where a simulator has no such partner, and draws the rest as it would have', () => {
    const withPartner = {
      ...evidence,
      randomization: { ...evidence.randomization, 'partners.1.landmark': [1, 1] as const },
    };
    const { candidates } = pool!.propose(null, withPartner, new RandomStream(keyFrom(1)));
    for (const { simulator, parents } of candidates) {
      const expected = parents[0] === 'zero' ? { landmark: 1 } : { name: 'leftmost_landmark' };
      expect(simulator.partners['1']).toMatchObject(expected);
      expect('landmark' in simulator.partners['1']!).toBe(parents[0] === 'zero');
    }
  });
});

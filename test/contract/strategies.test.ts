import { describe, expect, it } from 'vitest';
import type {
  CandidateScores,
  Decision,
  Evidence,
  NamedSimulator,
  Proposal,
  StrategyOptions,
} from '../../learning/strategies/contract.ts';
import type { EpisodeSummary } from '../../learning/episode-tally.ts';
import { STRATEGIES } from '../../learning/strategies/registry.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { openSpread, scripted, simulatorOf } from '../support/small-learning.ts';

// What every strategy promises. A strategy is tested by being in the registry; `CASES` must say with which options.

const world = openSpread({ agents: 2 });
const named = (name: string, written: object): NamedSimulator => ({ name, simulator: simulatorOf(world, written) });

const TRAIN = [
  named('zero', scripted(1, 'fixed_landmark', { landmark: 0 })),
  named('left', scripted(1, 'leftmost_landmark')),
];
const VALIDATION = [named('top', scripted(1, 'topmost_landmark'))];
const RANGES = { 'rules.damping': [0.1, 0.5], 'perturbations.action_delay': [1, 3] } as const;

const summaryOf = (returnMean: number): EpisodeSummary => ({
  episodes: 8,
  returnMean,
  returnStd: 1,
  lengthMean: 25,
  successRate: 0.5,
});

interface StrategyCase {
  /** Valid options as a spec writes them. */
  readonly valid: readonly Record<string, unknown>[];
  /** Whether some of them draw random numbers. */
  readonly draws: boolean;
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
    valid: [{ simulator: 'left' }],
    draws: true,
    wrong: [
      { options: { simulator: 'nowhere' }, key: 'simulator' },
      { options: { simulator: 'left' }, evidence: { randomization: {} }, key: 'kind' },
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

describe.each(Object.values(STRATEGIES))('$kind', (strategy) => {
  const { valid, wrong, draws } = CASES[strategy.kind] ?? { valid: [], wrong: [], draws: false };

  function evidenceFor(written: Record<string, unknown>, changes: Partial<Evidence> = {}): Evidence {
    const options: StrategyOptions = strategy.optionsSchema.parse({ kind: strategy.kind, ...written });
    return {
      options,
      roundIndex: 0,
      trainPanel: TRAIN,
      validationPanel: VALIDATION,
      simulators: TRAIN,
      randomization: RANGES,
      parameters: world.parameters,
      learners: [0],
      seatCount: world.seatCount,
      groups: world.groups,
      hyperparameters: {},
      training: [],
      members: [],
      ...changes,
    };
  }

  /** Proposes, scores every candidate, and decides; all chance comes from the seed. */
  function adapt(evidence: Evidence, seed: number, state: Decision['state'] | null = null): [Proposal, Decision] {
    const stream = () => new RandomStream(keyFrom(seed, PURPOSE.strategy, evidence.roundIndex));
    const proposal = strategy.propose(state, evidence, stream());
    const scores: CandidateScores = Object.fromEntries(
      proposal.candidates.map(({ name }, index) => [name, summaryOf(index)]),
    );
    return [proposal, strategy.decide(proposal, evidence, scores, stream())];
  }

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
    for (const written of valid) {
      const evidence = evidenceFor(written);
      const before = structuredClone(evidence);
      expect(adapt(evidence, 1)).toEqual(adapt(evidence, 1));
      expect(evidence).toEqual(before);
    }
  });

  it('decides otherwise under another seed exactly where it draws, or leaves the drawing to each episode', () => {
    const differs = valid.some((written) => {
      const [, first] = adapt(evidenceFor(written), 1);
      const [, second] = adapt(evidenceFor(written), 2);
      return JSON.stringify(first) !== JSON.stringify(second);
    });
    const drawsPerEpisode = valid.some((written) => {
      const [, decision] = adapt(evidenceFor(written), 1);
      return decision.pool.some(({ randomization }) => Object.keys(randomization).length > 0);
    });
    expect(differs || drawsPerEpisode).toBe(draws);
  });

  it('says beforehand which simulators it varies with draws of the ranges', () => {
    for (const written of valid) {
      const evidence = evidenceFor(written);
      const [{ candidates }, { pool }] = adapt(evidence, 1);
      const perEpisode = pool.filter((entry) => Object.keys(entry.randomization).length > 0).map(({ name }) => name);
      const names = new Set([...candidates.flatMap(({ parents }) => parents), ...perEpisode]);
      expect(strategy.varied(evidence).map(({ name }) => name)).toEqual([...names]);
    }
    expect(valid.some((written) => strategy.varied(evidenceFor(written)).length > 0)).toBe(draws);
  });

  it('weighs every member of the pool positively, all together with 1, and names each once', () => {
    for (const written of valid) {
      const [, { pool }] = adapt(evidenceFor(written), 1);
      expect(pool.length).toBeGreaterThan(0);
      expect(pool.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
      for (const { weight, reason } of pool) {
        expect(weight).toBeGreaterThan(0);
        expect(reason).not.toBe('');
      }
      expect(new Set(pool.map(({ name }) => name)).size).toBe(pool.length);
    }
  });

  it('keeps to the size it was given', () => {
    for (const written of valid) {
      const [, { pool }] = adapt(evidenceFor(written), 1);
      const { size } = written;
      expect(pool.length).toBe(size ?? 1);
    }
  });

  it('never trains on a held-out simulator', () => {
    const heldOut = VALIDATION.map(({ simulator }) => JSON.stringify(simulator));
    for (const written of valid) {
      const [, { pool }] = adapt(evidenceFor(written), 1);
      for (const { name, simulator } of pool) {
        expect(VALIDATION.map((entry) => entry.name)).not.toContain(name);
        expect(heldOut).not.toContain(JSON.stringify(simulator));
      }
    }
  });

  it('keeps a state that survives being stored as JSON', () => {
    for (const written of valid) {
      const [, first] = adapt(evidenceFor(written), 1);
      const stored = JSON.parse(JSON.stringify(first.state)) as Decision['state'];
      expect(stored).toEqual(first.state);
      const later = evidenceFor(written, { roundIndex: 1 });
      expect(adapt(later, 1, stored)).toEqual(adapt(later, 1, first.state));
    }
  });

  it('puts simulators into the pool that are valid, and whose parents exist', () => {
    for (const written of valid) {
      const [proposal, { pool }] = adapt(evidenceFor(written), 1);
      const known = [...TRAIN, ...proposal.candidates].map(({ name }) => name);
      for (const { name, simulator, parents } of pool) {
        expect(world.simulatorSchema.parse(simulator)).toEqual(simulator);
        expect(known).toContain(name);
        for (const parent of parents) expect(known).toContain(parent);
      }
    }
  });

  it('changes drawn simulators within the ranges only, integers in whole steps', () => {
    for (const written of valid) {
      const [proposal] = adapt(evidenceFor(written), 1);
      for (const { simulator, parents } of proposal.candidates) {
        const parent = TRAIN.find(({ name }) => name === parents[0])!.simulator;
        const [damping, delay] = [simulator.rules['damping']!, simulator.perturbations['action_delay']!];
        expect(damping).toBeGreaterThanOrEqual(RANGES['rules.damping'][0]);
        expect(damping).toBeLessThanOrEqual(RANGES['rules.damping'][1]);
        expect([1, 2, 3]).toContain(delay);
        expect({
          ...simulator,
          rules: { ...simulator.rules, damping: parent.rules['damping'] },
          perturbations: { ...simulator.perturbations, action_delay: parent.perturbations['action_delay'] },
        }).toEqual(parent);
      }
    }
  });
});

describe('a pool larger than its train panel', () => {
  const { pool } = STRATEGIES;
  const options = pool!.optionsSchema.parse({ kind: 'pool', size: 40 });
  const evidence: Evidence = {
    options,
    roundIndex: 0,
    trainPanel: TRAIN,
    validationPanel: VALIDATION,
    simulators: TRAIN,
    randomization: RANGES,
    parameters: world.parameters,
    learners: [0],
    seatCount: world.seatCount,
    groups: world.groups,
    hyperparameters: {},
    training: [],
    members: [],
  };

  it('is filled with different draws on its members in turn', () => {
    const { candidates } = pool!.propose(null, evidence, new RandomStream(keyFrom(1)));
    expect(candidates.length).toBe(40 - TRAIN.length);
    expect(candidates.map(({ parents }) => parents[0])).toEqual(
      candidates.map((_, index) => TRAIN[index % TRAIN.length]!.name),
    );
    expect(new Set(candidates.map(({ simulator }) => JSON.stringify(simulator))).size).toBe(candidates.length);
    expect(new Set(candidates.map(({ simulator }) => simulator.perturbations['action_delay']))).toEqual(
      new Set([1, 2, 3]),
    );
  });

  it('leaves a range out where a simulator has no such partner, and draws the rest as it would have', () => {
    const withPartner = { ...evidence, randomization: { ...RANGES, 'partners.1.landmark': [1, 1] as const } };
    const { candidates } = pool!.propose(null, withPartner, new RandomStream(keyFrom(1)));
    for (const { simulator, parents } of candidates) {
      const expected = parents[0] === 'zero' ? { landmark: 1 } : { name: 'leftmost_landmark' };
      expect(simulator.partners['1']).toMatchObject(expected);
      expect('landmark' in simulator.partners['1']!).toBe(parents[0] === 'zero');
    }
  });
});

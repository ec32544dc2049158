import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { evidenceAtStart, SITUATIONS } from '../../test/support/strategy-situation.ts';
import type { Decision, Evidence, MemberEvidence } from './contract.ts';
import { hyperparameterRanges } from './hyperparameter-ranges.ts';
import { populationBasedTraining as training } from './population-based-training.ts';

type OwnEvidence = Parameters<typeof training.check>[0];

function evidenceOf(written: Record<string, unknown>, changes: Partial<Evidence> = {}): OwnEvidence {
  return { ...evidenceAtStart(training, SITUATIONS.spread, written), ...changes } as OwnEvidence;
}

function decide(evidence: OwnEvidence, seed = 1, state: Decision['state'] | null = null): Decision {
  const random = new RandomStream(keyFrom(seed));
  return training.decide(training.propose(state, evidence, random), evidence, {}, random);
}

/** How members did, in the order of the last decision. */
const returns = ({ members }: Decision, byName: Readonly<Record<string, [validation: number | null, own: number]>>) =>
  members.map(({ name }): MemberEvidence => {
    const [validationReturn, trainingReturn] = byName[name]!;
    return { name, validationReturn, trainingReturn, policies: null };
  });

const names = ({ members }: Decision) => members.map(({ name }) => name);

describe('the first generation', () => {
  it('shares the steps equally; its first member keeps to the spec, and the others differ within the ranges', () => {
    const evidence = evidenceOf({ size: 6 });
    const { members, partners } = decide(evidence);
    const ranges = hyperparameterRanges(evidence);
    expect(partners).toEqual([]);
    expect(members.map(({ name, copies }) => [name, copies])).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => [`m${index}`, `m${index}`]),
    );
    for (const { seats, share, reward } of members) expect([seats, share, reward]).toEqual(['learners', 1 / 6, 'own']);
    expect(members[0]!.hyperparameters).toEqual({});
    for (const { hyperparameters } of members.slice(1)) {
      expect(Object.keys(hyperparameters)).toEqual(['entropy_coefficient', 'learning_rate']);
      for (const [name, value] of Object.entries(hyperparameters)) {
        expect(value >= ranges[name]![0] && value <= ranges[name]![1]).toBe(true);
      }
    }
  });

  it('draws other values under another seed', () => {
    expect(decide(evidenceOf({}), 1).members).not.toEqual(decide(evidenceOf({}), 2).members);
  });
});

describe('the next generation', () => {
  const first = decide(evidenceOf({}));
  const next = (outcome: Parameters<typeof returns>[1], written = {}) =>
    decide(evidenceOf(written, { roundIndex: 2, members: returns(first, outcome) }), 3, first.state);
  const outcome = { m0: [-9, 1], m1: [-7, 2], m2: [-10, 3], m3: [-8, 4] } as Parameters<typeof returns>[1];

  it('has the best on validation first, and only the worst goes on from it', () => {
    const { members } = next(outcome);
    expect(members.map(({ name, copies }) => [name, copies])).toEqual([
      ['m1', 'm1'],
      ['m3', 'm3'],
      ['m0', 'm0'],
      ['m2', 'm1'],
    ]);
    const valuesOf = (decision: Decision, name: string) =>
      decision.members.find((member) => member.name === name)!.hyperparameters;
    for (const name of ['m0', 'm1', 'm3']) expect(valuesOf({ ...first, members }, name)).toEqual(valuesOf(first, name));
    expect(valuesOf({ ...first, members }, 'm2')).not.toEqual(valuesOf(first, 'm2'));
  });

  it('ranks by the return in training when told to, and then needs no validation', () => {
    const unseen = Object.fromEntries(Object.entries(outcome).map(([name, [, own]]) => [name, [null, own]])) as never;
    expect(names(next(unseen, { rank_by: 'training' }))).toEqual(['m3', 'm2', 'm1', 'm0']);
    expect(training.needs(evidenceOf({ rank_by: 'training' }).options)).toEqual([]);
    expect(training.needs(evidenceOf({}).options)).toEqual(['validation_returns']);
  });

  it('goes on where the last order stood when nobody is known, and copies nobody', () => {
    const nobody = next({ m0: [NaN, 0], m1: [NaN, 0], m2: [NaN, 0], m3: [NaN, 0] });
    expect(nobody.members).toEqual(first.members);
  });

  it('goes on from a state that was stored as JSON exactly as from the state itself', () => {
    const evidence = evidenceOf({}, { roundIndex: 2, members: returns(first, outcome) });
    const stored = JSON.parse(JSON.stringify(first.state)) as Decision['state'];
    expect(decide(evidence, 3, stored)).toEqual(decide(evidence, 3, first.state));
  });

  it('breaks ties by the last order, not by name', () => {
    const second = next(outcome);
    const equal = { m0: [1, 0], m1: [1, 0], m2: [1, 0], m3: [1, 0] } as Parameters<typeof returns>[1];
    const third = decide(evidenceOf({}, { roundIndex: 4, members: returns(second, equal) }), 4, second.state);
    expect(names(third)).toEqual(names(second));
    expect(third.members.at(-1)).toMatchObject({ name: 'm2', copies: 'm1' });
  });
});

it('compares when a run starts and every so many rounds, and holds as many learners as its size', () => {
  const { options } = evidenceOf({ size: 7, every_rounds: 3 });
  expect([0, 1, 2, 3, 4, 6].map((round) => training.isDue(options, round))).toEqual([
    true,
    false,
    false,
    true,
    false,
    true,
  ]);
  expect(training.learnerCount(options)).toBe(7);
  expect(training.optionsSchema.safeParse({ kind: training.kind, size: 3 }).success).toBe(false);
});

describe('the ranges', () => {
  const numbers = { learning_rate: 0.003, entropy_coefficient: 0.01, clip: 0.3, epochs: 4, minibatch_size: 600 };
  const rangesOf = (hyperparameters: Record<string, number>) =>
    hyperparameterRanges(evidenceOf({}, { hyperparameters }));
  const problems = (hyperparameters: unknown, of: Record<string, number> = numbers) =>
    training.check(evidenceOf({ hyperparameters }, { hyperparameters: of }));

  it('reach from a fifth to five times the value in the spec, and no further than the algorithm', () => {
    expect(rangesOf(numbers)).toEqual({
      entropy_coefficient: [0.01 / 5, 0.01 * 5],
      learning_rate: [0.003 / 5, 0.003 * 5],
    });
    expect(rangesOf({ learning_rate: 0.5 })).toEqual({ learning_rate: [0.1, 1] });
  });

  it('leave out what is 0, because a logarithmic range cannot start there, and are refused when nothing is left', () => {
    expect(rangesOf({ learning_rate: 0.003, entropy_coefficient: 0 })).not.toHaveProperty('entropy_coefficient');
    expect(problems(null, { epochs: 4 })).toMatchObject([{ key: 'hyperparameters' }]);
  });

  it.each([
    ['no such parameter', { no_such: [1, 2] }],
    ['a whole number', { epochs: [1, 8] }],
    ['the size of a batch', { minibatch_size: [100, 1000] }],
    ['a number this algorithm lacks', { gamma: [0.9, 0.99] }],
    ['ends exchanged', { learning_rate: [0.1, 0.01] }],
    ['an end that no algorithm takes', { clip: [0.1, 2] }],
    ['no range', {}],
  ])('are refused for %s, with what is possible', (_, written) => {
    const found = problems(written);
    expect(found.map(({ key }) => key)).toEqual(['hyperparameters']);
    expect(found[0]!.remedy).toContain('learning_rate, entropy_coefficient, clip');
    expect(found[0]!.remedy).not.toContain('epochs');
  });

  it('do not change with the order in which they are written', () => {
    const draws = (hyperparameters: object) =>
      decide(evidenceOf({ hyperparameters }, { hyperparameters: numbers })).members;
    const [rate, clip] = [
      [0.001, 0.01],
      [0.1, 0.4],
    ];
    expect(draws({ learning_rate: rate, clip })).toEqual(draws({ clip, learning_rate: rate }));
  });
});

import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { evidenceAtStart, SITUATIONS } from '../../test/support/strategy-situation.ts';
import type { Decision, Evidence, MemberEvidence } from './contract.ts';
import { population } from './population.ts';

type Options = Record<string, unknown>;

function evidenceOf(situation: keyof typeof SITUATIONS, written: Options, changes: Partial<Evidence> = {}) {
  const start = evidenceAtStart(population, SITUATIONS[situation], written);
  return { ...start, ...changes } as Parameters<typeof population.check>[0];
}

/** What a member exported: a name that says whose it is, of which round and group. */
const exported = (name: string, round: number): MemberEvidence => ({
  name,
  trainingReturn: 0,
  validationReturn: null,
  policies: [0, 1].map((group) => `${name}@${round}/${group}`),
});

/** Decisions of the rounds at which it is due. */
function play(situation: keyof typeof SITUATIONS, written: Options, rounds: number, changes: Partial<Evidence> = {}) {
  const decisions = new Map<number, Decision>();
  let last: Decision | undefined;
  for (let roundIndex = 0; roundIndex <= rounds; roundIndex += 1) {
    const members = (last?.members ?? []).map(({ name }) => exported(name, roundIndex));
    const evidence = evidenceOf(situation, written, { ...changes, roundIndex, members });
    if (!population.isDue(evidence.options, roundIndex)) continue;
    const random = new RandomStream(keyFrom(1));
    const proposal = population.propose(last?.state ?? null, evidence, random);
    last = population.decide(proposal, evidence, {}, random);
    decisions.set(roundIndex, last);
  }
  return decisions;
}

const named = ({ partners }: Decision) => partners.map(({ name }) => name);
const weights = ({ partners }: Decision) => partners.map(({ weight }) => weight);

describe('which checkpoints are partners', () => {
  it('the latest of them, one every so many rounds; one more than fits pushes the first out', () => {
    const [size, every, rounds] = [3, 2, 12];
    const decisions = play('spread', { size, every_rounds: every }, rounds);
    expect([...decisions.keys()]).toEqual([0, 2, 4, 6, 8, 10, 12]);
    const queue: number[] = [];
    for (let round = every; round <= rounds; round += every) {
      queue.push(round);
      if (queue.length > size) queue.shift();
      const { partners } = decisions.get(round)!;
      expect(partners.map(({ partners: held }) => held)).toEqual(
        queue.map((each) => ({
          '1': { kind: 'policy', artifact: `learner@${each}/0`, mode: 'sampled', epsilon: 0 },
        })),
      );
      expect(named(decisions.get(round)!)).toEqual(queue.map((each) => `round_${String(each).padStart(4, '0')}`));
      for (const [index, { reason }] of partners.entries()) expect(reason).toContain(`round ${queue[index]}`);
    }
  });

  it('before the first has entered, the current policy is the partner', () => {
    const spread = play('spread', {}, 0).get(0)!;
    expect(spread.partners).toMatchObject([{ weight: 1, partners: { '1': { kind: 'self' } } }]);
    const tag = play('tag', { current_share: 0.25 }, 0).get(0)!;
    expect(tag.partners).toMatchObject([{ weight: 1, partners: { '3': { kind: 'trained' } } }]);
  });

  it('each seat has the policy of its own role: the learner’s, or that of the partner trained along', () => {
    const artifacts = (decision: Decision) => decision.partners.at(-1)!.partners;
    expect(artifacts(play('tag', {}, 2).get(2)!)).toMatchObject({ '3': { artifact: 'partner@2/1' } });
    const mixed = play('tag', {}, 2, { learners: [0, 1] }).get(2)!;
    expect(artifacts(mixed)).toMatchObject({ '2': { artifact: 'learner@2/0' }, '3': { artifact: 'partner@2/1' } });
    expect(mixed.partners[0]!.partners).toEqual({ '2': { kind: 'self' }, '3': { kind: 'trained' } });
    const preyLearns = play('tag', {}, 2, { learners: [3] }).get(2)!;
    expect(artifacts(preyLearns)).toMatchObject({ '0': { artifact: 'partner@2/0' }, '2': { artifact: 'partner@2/0' } });
  });

  it('a policy that nobody exported is a defect, not a missing partner', () => {
    for (const policies of [null, [], ['']]) {
      const members = [{ ...exported('learner', 2), policies }];
      const evidence = evidenceOf('spread', {}, { roundIndex: 2, members });
      expect(() => population.propose(null, evidence, new RandomStream(keyFrom(1)))).toThrow(/exported/);
    }
  });
});

describe('how often the current policy is the partner', () => {
  it('never where it has the learners’ role, in half of the episodes where it is trained along', () => {
    expect(weights(play('spread', {}, 6).get(6)!)).toEqual([1 / 3, 1 / 3, 1 / 3]);
    const tag = play('tag', {}, 6).get(6)!;
    expect(named(tag)[0]).toBe('current');
    expect(weights(tag)).toEqual([0.5, 0.5 / 3, 0.5 / 3, 0.5 / 3]);
  });

  it('as often as it is told, up to always', () => {
    expect(weights(play('spread', { current_share: 0.25 }, 4).get(4)!)).toEqual([0.25, 0.375, 0.375]);
    expect(named(play('spread', { current_share: 1 }, 4).get(4)!)).toEqual(['current']);
  });

  it('may not be never where a partner is trained only by playing', () => {
    const keys = (situation: keyof typeof SITUATIONS) =>
      population.check(evidenceOf(situation, { current_share: 0 })).map(({ key }) => key);
    expect(keys('tag')).toEqual(['current_share']);
    expect(keys('spread')).toEqual([]);
  });
});

it('a partner is trained along exactly where a role has no learners, with the rewards of its seats', () => {
  expect(
    play('spread', {}, 2)
      .get(2)!
      .members.map(({ name }) => name),
  ).toEqual(['learner']);
  expect(play('tag', {}, 2).get(2)!.members).toMatchObject([
    { name: 'learner', seats: 'learners' },
    { name: 'partner', seats: 'partners', reward: 'own' },
  ]);
});

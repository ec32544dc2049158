import { expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { evidenceAtStart, SITUATIONS } from '../../test/support/strategy-situation.ts';
import { coTrain } from './co-train.ts';
import type { Decision, Evidence, Strategy } from './contract.ts';
import { selfPlay } from './self-play.ts';

function evidenceOf(
  strategy: Strategy,
  situation: keyof typeof SITUATIONS,
  written: Record<string, unknown> = {},
  changes: Partial<Evidence> = {},
): Evidence {
  return { ...evidenceAtStart(strategy, SITUATIONS[situation], written), ...changes };
}

function decide(strategy: Strategy, evidence: Evidence): Decision {
  const random = new RandomStream(keyFrom(1));
  return strategy.decide(strategy.propose(null, evidence, random), evidence, {}, random);
}

const allLearn = { learners: [0, 1] };

it('self_play: the learners’ policy holds the other seats of their role, and nothing else is trained', () => {
  const { partners, members } = decide(selfPlay, evidenceOf(selfPlay, 'spread'));
  expect(partners).toMatchObject([{ name: 'self', weight: 1, partners: { '1': { kind: 'self' } } }]);
  expect(members.map(({ seats }) => seats)).toEqual(['learners']);
});

it('self_play: in a role that nobody learns a partner is trained along with that role’s reward', () => {
  const { partners, members } = decide(selfPlay, evidenceOf(selfPlay, 'tag'));
  expect(partners.map((choice) => choice.partners)).toEqual([{ '3': { kind: 'trained' } }]);
  expect(members[1]).toMatchObject({ name: 'partner', seats: 'partners', share: 1, reward: 'own', copies: 'partner' });
  const mixed = decide(selfPlay, evidenceOf(selfPlay, 'tag', {}, { learners: [0, 2] }));
  expect(mixed.partners[0]!.partners).toEqual({ '1': { kind: 'self' }, '3': { kind: 'trained' } });
});

it('co_train: a second policy holds the partners’ seats in every role', () => {
  for (const [situation, seat] of [
    ['spread', '1'],
    ['tag', '3'],
  ] as const) {
    const { partners, members } = decide(coTrain, evidenceOf(coTrain, situation));
    expect(partners.map((choice) => choice.partners)).toEqual([{ [seat]: { kind: 'trained' } }]);
    expect(members.map(({ seats, reward }) => [seats, reward])).toEqual([
      ['learners', 'own'],
      ['partners', 'adversarial'],
    ]);
  }
});

it('co_train: only the curriculum compares episodes that start alike, eight of them', () => {
  for (const [reward, groupSize] of [
    ['own', 1],
    ['cooperative', 1],
    ['adversarial', 1],
    ['curriculum', 8],
  ] as const) {
    const { members, episodeRule } = decide(coTrain, evidenceOf(coTrain, 'spread', { reward }));
    expect([members[1]!.reward, episodeRule.groupSize]).toEqual([reward, groupSize]);
  }
});

it('co_train: the curriculum needs environments in whole groups, and says so', () => {
  const keys = (reward: string, parallel_environments: number) =>
    coTrain
      .check(evidenceOf(coTrain, 'spread', { reward }, { hyperparameters: { parallel_environments } }) as never)
      .map(({ key }) => key);
  expect(keys('curriculum', 12)).toEqual(['reward']);
  expect(keys('curriculum', 16)).toEqual([]);
  expect(keys('adversarial', 12)).toEqual([]);
});

it.each([[selfPlay as Strategy], [coTrain as Strategy]])(
  '$kind: choosing partners is refused where all seats learn',
  (strategy) => {
    expect(strategy.check(evidenceOf(strategy, 'spread', {}, allLearn))).toMatchObject([{ key: 'kind' }]);
  },
);

it('the simulators are those that are named, equally often, or the first of the train panel', () => {
  const { train } = SITUATIONS.spread;
  const pool = (written: Record<string, unknown>) => decide(selfPlay, evidenceOf(selfPlay, 'spread', written)).pool;
  expect(pool({})).toMatchObject([{ ...train[0], weight: 1 }]);
  expect(pool({ simulators: ['left', 'zero'] })).toMatchObject([
    { name: 'left', weight: 0.5 },
    { name: 'zero', weight: 0.5 },
  ]);
});

it('names that are unknown, held out or repeated are refused, and so is an empty train panel without names', () => {
  const problems = (simulators: string[] | null, changes: Partial<Evidence> = {}) =>
    selfPlay.check(evidenceOf(selfPlay, 'spread', { simulators }, changes) as never).map(({ problem }) => problem);
  expect(problems(['zero', 'nowhere', 'top'])).toEqual([
    expect.stringContaining('nowhere'),
    expect.stringContaining('top'),
  ]);
  expect(problems(['zero', 'zero', 'zero'])).toEqual([expect.stringContaining('twice')]);
  expect(problems(null, { trainPanel: [] })).toEqual([expect.stringContaining('empty')]);
  expect(problems(['zero'], { trainPanel: [] })).toEqual([]);
});

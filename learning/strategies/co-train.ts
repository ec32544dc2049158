import { z } from 'zod';
import { basePool, type BasePoolOptions, simulatorsOption, wrongSimulators } from './base-pool.ts';
import { type Evidence, type MemberReward, ONE_LEARNER, PLAIN_EPISODES, type Strategy } from './contract.ts';
import { trainedPartner } from './current-partner.ts';
import { DECIDED_ONCE } from './fixed-pool.ts';
import { noPartnerSeats, partnerSeats, seated } from './partner-seats.ts';

/** Episodes that start alike, over which the variance of success is taken. @source arXiv 2608.12253 */
const CURRICULUM_GROUP_SIZE = 8;

interface CoTrainOptions extends BasePoolOptions {
  readonly kind: 'co_train';
  readonly reward: MemberReward;
}

/**
 * A second policy holds the partners' seats, also where the learners' own policy could, and learns from the same episodes
 * with a reward of its own.
 * @source arXiv 2608.12253
 */
export const coTrain: Strategy<CoTrainOptions> = {
  kind: 'co_train',
  summary: 'the partners are a second policy that is trained from the same episodes, with a reward of its own',
  optionsSchema: z.strictObject({
    kind: z.literal('co_train'),
    reward: z
      .enum(['adversarial', 'cooperative', 'curriculum', 'own'])
      .default('adversarial')
      .describe(
        'What the partner is rewarded with: adversarial, the learners’ reward negated; cooperative, that reward; ' +
          'curriculum, how near the learners are to succeeding in half of 8 episodes that start alike; own, what its ' +
          'seats get.',
      ),
    simulators: simulatorsOption,
  }),
  ...DECIDED_ONCE,
  check: (evidence) => [...noPartnerSeats(evidence), ...wrongSimulators(evidence), ...uneven(evidence)],
  playedMax: (evidence) => basePool(evidence).length,
  varied: () => [],
  decide: ({ state }, evidence) => {
    const { reward } = evidence.options;
    const partners = seated(partnerSeats(evidence), () => ({ kind: 'trained' }));
    return {
      state,
      pool: basePool(evidence),
      partners: [{ name: 'trained', weight: 1, partners, reason: `a partner with the reward \`${reward}\`` }],
      members: [...ONE_LEARNER, trainedPartner(reward)],
      episodeRule: reward === 'curriculum' ? { groupSize: CURRICULUM_GROUP_SIZE } : PLAIN_EPISODES,
    };
  },
};

/** Environments that do not make whole groups of episodes which start alike. */
function uneven({ options, hyperparameters }: Evidence<CoTrainOptions>): ReturnType<Strategy['check']> {
  const count = hyperparameters['parallel_environments'];
  if (options.reward !== 'curriculum' || count === undefined || count % CURRICULUM_GROUP_SIZE === 0) return [];
  return [
    {
      key: 'reward',
      problem: `it compares ${CURRICULUM_GROUP_SIZE} episodes that start alike, and ${count} parallel environments make no whole groups of them`,
      remedy: `Make algorithm.parallel_environments a multiple of ${CURRICULUM_GROUP_SIZE}, or take another reward.`,
    },
  ];
}

import { z } from 'zod';
import { basePool, type BasePoolOptions, simulatorsOption, wrongSimulators } from './base-pool.ts';
import { PLAIN_EPISODES, type Strategy } from './contract.ts';
import { currentMembers, currentPartner } from './current-partner.ts';
import { DECIDED_ONCE } from './fixed-pool.ts';
import { noPartnerSeats, partnerSeats } from './partner-seats.ts';

interface SelfPlayOptions extends BasePoolOptions {
  readonly kind: 'self_play';
}

/**
 * The partners' seats hold the current policy. In a role that nobody learns a partner with that role's own reward is
 * trained along and is the current policy there.
 */
export const selfPlay: Strategy<SelfPlayOptions> = {
  kind: 'self_play',
  summary: 'the partners are the current policy; in a role without learners one that is trained along',
  optionsSchema: z.strictObject({ kind: z.literal('self_play'), simulators: simulatorsOption }),
  ...DECIDED_ONCE,
  check: (evidence) => [...noPartnerSeats(evidence), ...wrongSimulators(evidence)],
  playedMax: (evidence) => basePool(evidence).length,
  varied: () => [],
  decide: ({ state }, evidence) => {
    const seats = partnerSeats(evidence);
    return {
      state,
      pool: basePool(evidence),
      partners: [currentPartner('self', seats, 1)],
      members: currentMembers(seats),
      episodeRule: PLAIN_EPISODES,
    };
  },
};

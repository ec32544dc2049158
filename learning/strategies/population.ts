import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import type { PartnerData } from '../../simulators/contract.ts';
import type { PolicyPartner } from '../../simulators/outside-partners.ts';
import { basePool, type BasePoolOptions, simulatorsOption, wrongSimulators } from './base-pool.ts';
import { type Evidence, type PartnerChoice, PLAIN_EPISODES, type Strategy } from './contract.ts';
import { currentMembers, currentPartner, policyHolder } from './current-partner.ts';
import { everyRounds, type EveryRoundsOptions, isDueEveryRounds } from './every-rounds.ts';
import { PLAIN_STRATEGY } from './fixed-pool.ts';
import { noPartnerSeats, type PartnerSeat, partnerSeats, seated } from './partner-seats.ts';

interface PopulationOptions extends BasePoolOptions, EveryRoundsOptions {
  readonly kind: 'population';
  readonly size: number;
  readonly current_share: number | null;
}

/** The policies of one round, on the seats of partners. */
interface Generation {
  readonly round: number;
  readonly partners: Readonly<Record<string, PartnerData>>;
}

/**
 * The partners are earlier policies of this run: the latest `size` of those that were kept, one every `every_rounds`
 * rounds, first in first out, drawn uniformly for every episode.
 * @source arXiv 2608.12253, whose ablation found 5 better than 10, 3 and 1
 */
export const population: Strategy<PopulationOptions> = {
  ...PLAIN_STRATEGY,
  kind: 'population',
  summary: 'the partners are drawn from the latest checkpoints of this run',
  optionsSchema: z.strictObject({
    kind: z.literal('population'),
    size: z.int().min(1).max(64).default(5).describe('Checkpoints kept; when one more enters, the oldest leaves.'),
    every_rounds: everyRounds(2, 'Rounds between checkpoints that enter.'),
    current_share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .default(null)
      .describe(
        'Share of the episodes beside the newest policies instead of checkpoints; null for 0, or for 0.5 where some ' +
          'partner has a role that nobody learns: it is trained only in the episodes that it plays.',
      ),
    simulators: simulatorsOption,
  }),
  needs: () => ['policies'],
  check: (evidence) => [...noPartnerSeats(evidence), ...wrongSimulators(evidence), ...untrained(evidence)],
  playedMax: (evidence) => {
    const { size, current_share } = evidence.options;
    const hasCurrent = currentShare(current_share, partnerSeats(evidence)) > 0;
    return basePool(evidence).length * (size + (hasCurrent ? 1 : 0));
  },
  varied: () => [],
  isDue: isDueEveryRounds,
  propose: (state, evidence) => {
    const kept = (state?.['generations'] ?? []) as readonly Generation[];
    const generations = [...kept, ...newGeneration(evidence)].slice(-evidence.options.size);
    return { state: { generations }, candidates: [], probes: [] };
  },
  decide: ({ state }, evidence) => {
    const seats = partnerSeats(evidence);
    const generations = state['generations'] as readonly Generation[];
    return {
      state,
      pool: basePool(evidence),
      partners: partnerChoices(generations, seats, evidence.options.current_share),
      members: currentMembers(seats),
      episodeRule: PLAIN_EPISODES,
    };
  },
};

/** The policies of the round just completed; none when the run starts. */
function newGeneration(evidence: Evidence): Generation[] {
  const { members, roundIndex: round } = evidence;
  if (members.length === 0) return [];
  const partners = seated(partnerSeats(evidence), (seat) => {
    const artifact = members.find(({ name }) => name === policyHolder(seat))?.policies?.[seat.group];
    if (artifact === undefined || artifact === '') {
      throw new ThawError('DEFECT_INVARIANT', `nobody exported the policy of ${policyHolder(seat)}`);
    }
    const partner: PolicyPartner = { kind: 'policy', artifact, mode: 'sampled', epsilon: 0 };
    return partner;
  });
  return [{ round, partners }];
}

/** The newest policies with their share, and the kept ones with equal shares of the rest. */
function partnerChoices(
  generations: readonly Generation[],
  seats: readonly PartnerSeat[],
  written: number | null,
): PartnerChoice[] {
  const share = generations.length === 0 ? 1 : currentShare(written, seats);
  const weight = (1 - share) / generations.length;
  const kept = generations.map(({ round, partners }) => ({
    name: `round_${String(round).padStart(4, '0')}`,
    weight,
    partners,
    reason: `the policies of round ${round}`,
  }));
  return [currentPartner('current', seats, share), ...kept].filter((choice) => choice.weight > 0);
}

/** Share of the episodes beside the newest policies, once there are kept ones. */
function currentShare(written: number | null, seats: readonly PartnerSeat[]): number {
  return written ?? (hasForeignRole(seats) ? 0.5 : 0);
}

/** A share of 0 for partners that are trained only in the episodes that they play. */
function untrained(evidence: Evidence<PopulationOptions>): ReturnType<Strategy['check']> {
  if (evidence.options.current_share !== 0 || !hasForeignRole(partnerSeats(evidence))) return [];
  return [
    {
      key: 'current_share',
      problem: 'a partner has a role that nobody learns, and would play, and so be trained, in no episode',
      remedy: 'Give a share above 0, or leave it out for 0.5.',
    },
  ];
}

function hasForeignRole(seats: readonly PartnerSeat[]): boolean {
  return seats.some(({ isRoleLearnt }) => !isRoleLearnt);
}

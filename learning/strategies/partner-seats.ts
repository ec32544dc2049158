import type { PartnerData } from '../../simulators/contract.ts';
import type { Evidence, Strategy } from './contract.ts';

/** A seat that does not learn. */
export interface PartnerSeat {
  readonly seat: number;
  /** Index of the group of seats it is in. */
  readonly group: number;
  /** Whether seats of its role learn, so that the learners' policy can hold it too. */
  readonly isRoleLearnt: boolean;
}

/** The seats that do not learn, ascending within each role. */
export function partnerSeats({ learners, groups }: Pick<Evidence, 'learners' | 'groups'>): PartnerSeat[] {
  return groups.flatMap(({ seats }, group) => {
    const isRoleLearnt = seats.some((seat) => learners.includes(seat));
    return seats.filter((seat) => !learners.includes(seat)).map((seat) => ({ seat, group, isRoleLearnt }));
  });
}

/** The same kind of partner on every seat, as a choice of partners has it. */
export function seated(
  seats: readonly PartnerSeat[],
  partnerOn: (seat: PartnerSeat) => PartnerData,
): Readonly<Record<string, PartnerData>> {
  return Object.fromEntries(seats.map((entry) => [String(entry.seat), partnerOn(entry)]));
}

/** The check of the strategies that choose partners: some seat has one. */
export function noPartnerSeats(evidence: Evidence): ReturnType<Strategy['check']> {
  if (partnerSeats(evidence).length > 0) return [];
  return [
    {
      key: 'kind',
      problem: `${evidence.options.kind} chooses who holds the seats that do not learn, and all ${evidence.seatCount} learn`,
      remedy: 'Name fewer seats in `learners`, or take a strategy that chooses simulators.',
    },
  ];
}

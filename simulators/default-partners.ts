import type { PartnerData, SimulatorData } from './contract.ts';

/**
 * A simulator in the one form in which equal ones are equal: on a seat that does not learn, nobody named and `self` mean
 * the same, the learners' current policy, and nobody is named. On a learner's seat `self` replaces the learner and stays.
 */
export function withoutDefaultPartners<Simulator extends SimulatorData>(
  simulator: Simulator,
  learners: readonly number[],
): Simulator {
  const isDefault = ([seat, { kind }]: [string, PartnerData]): boolean =>
    kind === 'self' && !learners.includes(Number(seat));
  const entries = Object.entries(simulator.partners);
  if (!entries.some(isDefault)) return simulator;
  return { ...simulator, partners: Object.fromEntries(entries.filter((entry) => !isDefault(entry))) };
}

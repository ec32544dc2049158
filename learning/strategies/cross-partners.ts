import type { Decision, PartnerChoice, PoolEntry } from './contract.ts';

/**
 * The pool that is played: every simulator with every choice of partners, weights multiplied. Without choices it is the
 * pool itself. Entries that a choice makes equal stay apart, because their names say where they come from.
 */
export function crossPartners({ pool, partners }: Pick<Decision, 'pool' | 'partners'>): PoolEntry[] {
  if (partners.length === 0) return [...pool];
  return pool.flatMap((entry) => partners.map((choice) => withPartners(entry, choice)));
}

function withPartners(entry: PoolEntry, { name, weight, partners, reason }: PartnerChoice): PoolEntry {
  const { simulator } = entry;
  return {
    ...entry,
    name: `${entry.name}+${name}`,
    simulator: { ...simulator, partners: { ...simulator.partners, ...partners } },
    weight: entry.weight * weight,
    parents: [entry.name],
    reason: `${entry.reason}, beside ${reason}`,
  };
}

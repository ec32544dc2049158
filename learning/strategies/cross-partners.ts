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
    simulator: { ...simulator, partners: seatedPartners(simulator.partners, partners) },
    weight: entry.weight * weight,
    parents: [entry.name],
    reason: `${entry.reason}, beside ${reason}`,
  };
}

/** `self` on a seat of a partner is written as nobody, which means the same: equal simulators must be equal. */
function seatedPartners(own: PoolEntry['simulator']['partners'], chosen: PartnerChoice['partners']) {
  const entries = Object.entries({ ...own, ...chosen });
  return Object.fromEntries(entries.filter(([seat]) => chosen[seat]?.kind !== 'self'));
}

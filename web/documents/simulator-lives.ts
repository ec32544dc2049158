import type { StoredCandidate } from '../../infra/postgres/candidate-rows.ts';
import type { PoolExit, PoolMembership, RunLineage, Taught } from '../../infra/postgres/lineage-rows.ts';

/** Rounds in which a simulator was in the pool. */
export interface Stay {
  /** Rounds completed when it entered: it is trained on from the next one. */
  readonly entered: number;
  /** Rounds completed when it left: the last one that trained on it; null while it is in the pool. */
  readonly left: number | null;
}

/** All that is known of one simulator of a run, from the first that was heard of it to the last. */
export interface SimulatorLife {
  readonly name: string;
  readonly hash: string;
  readonly parents: readonly string[];
  /** The mined failure that it goes back to, by its name within the run. */
  readonly failure: string | null;
  /** Why it entered, or where it comes from if it never did. */
  readonly reason: string;
  /** Empty for a candidate that never entered. */
  readonly stays: readonly Stay[];
  /** In the newest pool that held it; null for none. */
  readonly weight: number | null;
  /** The last that was measured. */
  readonly contribution: number | null;
  /** Of the last stay, if it is over. */
  readonly exit: PoolExit | null;
  readonly taught: Taught | null;
  /** What the strategy last thought of it as a candidate; null where it never was one. */
  readonly judged: StoredCandidate | null;
}

/** The simulators of a run: those of its pools in the order in which they entered, then the candidates that never did. */
export function simulatorLives(lineage: RunLineage): SimulatorLife[] {
  const { pools, candidates, exits, taught } = lineage;
  const rounds = [...new Set(pools.map(({ round }) => round))];
  const memberships = groupedByIdentity(pools);
  const judged = groupedByIdentity(candidates);
  const left = groupedByIdentity(exits);
  const lessons = groupedByIdentity(taught);
  const entered = [...memberships].map(([identity, rows]) =>
    lifeOf(rows, rounds, {
      exits: left.get(identity) ?? [],
      taught: lessons.get(identity)?.[0] ?? null,
      judged: judged.get(identity)?.at(-1) ?? null,
    }),
  );
  const refused = [...judged].filter(([identity]) => !memberships.has(identity));
  return [...entered, ...refused.map(([, rows]) => lifeOfRefused(rows.at(-1)!))];
}

/** A name may come again for another simulator: together with the content it is one of its own. */
function groupedByIdentity<Entry extends { readonly name: string; readonly simulatorHash: string }>(
  entries: readonly Entry[],
): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const identity = `${entry.name}\n${entry.simulatorHash}`;
    const group = groups.get(identity);
    if (group === undefined) groups.set(identity, [entry]);
    else group.push(entry);
  }
  return groups;
}

function lifeOf(
  rows: readonly PoolMembership[],
  rounds: readonly number[],
  { exits, taught, judged }: { exits: readonly PoolExit[] } & Pick<SimulatorLife, 'taught' | 'judged'>,
): SimulatorLife {
  const [first] = rows as [PoolMembership];
  const last = rows.at(-1)!;
  const stays = staysOf(new Set(rows.map(({ round }) => round)), rounds);
  const { left } = stays.at(-1)!;
  const exit = exits.find(({ round }) => round === left) ?? null;
  const contributions = [exit, ...rows.toReversed()].map((each) => each?.contribution ?? null);
  return {
    name: first.name,
    hash: first.simulatorHash,
    parents: first.parents,
    failure: first.failure,
    reason: first.reason,
    stays,
    weight: last.weight,
    contribution: contributions.find((each) => each !== null) ?? null,
    exit,
    taught,
    judged,
  };
}

/** @param held rounds of the pools that held it @param rounds of all pools, ascending */
function staysOf(held: ReadonlySet<number>, rounds: readonly number[]): Stay[] {
  return rounds.flatMap((round, index) => {
    const entered = held.has(round) && (index === 0 || !held.has(rounds[index - 1]!));
    return entered ? [{ entered: round, left: rounds.slice(index).find((later) => !held.has(later)) ?? null }] : [];
  });
}

function lifeOfRefused(judged: StoredCandidate): SimulatorLife {
  return {
    name: judged.name,
    hash: judged.simulatorHash,
    parents: judged.parents,
    failure: judged.failure,
    reason: judged.origin,
    stays: [],
    weight: null,
    contribution: null,
    exit: null,
    taught: null,
    judged,
  };
}

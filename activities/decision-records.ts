import type { CandidateRecord, EvictionRecord } from '../infra/postgres/candidate-rows.ts';
import type { RunPool, SimulatorRecord } from '../infra/postgres/pool-rows.ts';
import type { CandidateScores, Decision, PoolEntry, Proposal } from '../learning/strategies/contract.ts';
import type { PoolRecord } from '../schemas/records.ts';
import type { World } from '../simulators/contract.ts';
import type { SimulatorHasher } from './simulator-hasher.ts';
import { simulatorRecord } from './simulator-record.ts';

/** A decision with all that led to it. */
export interface Decided {
  readonly proposal: Proposal;
  /** What the probes of the proposal gave. */
  readonly scores: CandidateScores;
  readonly decision: Decision;
  /** The pool with the partners crossed in. */
  readonly played: readonly PoolEntry[];
}

export interface DecisionRecords {
  readonly entries: readonly PoolRecord[];
  readonly candidates: readonly CandidateRecord[];
  readonly evictions: readonly EvictionRecord[];
  readonly simulators: readonly SimulatorRecord[];
}

/** What is stored of a decision. @param known the pool before; null when the run starts */
export function decisionRecords(
  { world, hashOf }: { world: World; hashOf: SimulatorHasher },
  known: RunPool | null,
  decided: Decided,
): DecisionRecords {
  const { proposal, played } = decided;
  return {
    entries: played.map((entry) => poolRecord(entry, hashOf(entry.simulator))),
    candidates: candidateRecords(decided, hashOf),
    evictions: evictionRecords(known, decided),
    simulators: [...played, ...proposal.candidates].map(({ simulator }) =>
      simulatorRecord(world, simulator, hashOf(simulator)),
    ),
  };
}

function poolRecord(
  { name, weight, parents, reason, randomization, learns, ...entry }: PoolEntry,
  hash: string,
): PoolRecord {
  return {
    name,
    simulatorHash: hash,
    weight,
    parents,
    reason,
    randomization,
    learns,
    failure: entry.failure ?? null,
    contribution: entry.contribution ?? null,
  };
}

/** A strategy that judges nobody lets every candidate in that it then has in its pool. */
function candidateRecords({ proposal, decision, scores }: Decided, hashOf: SimulatorHasher): CandidateRecord[] {
  const judged = new Map(decision.judgements?.map((judgement) => [judgement.candidate, judgement]));
  const chosen = new Set(decision.pool.map(({ name }) => name));
  return proposal.candidates.map((candidate) => {
    const { name, parents, origin, failure } = candidate;
    const { score, novelty, refusal } = judged.get(candidate.name) ?? {
      score: NaN,
      novelty: NaN,
      refusal: chosen.has(candidate.name) ? null : 'not chosen',
    };
    const probe = scores[candidate.name] ?? null;
    return {
      name,
      parents,
      origin,
      ...(failure === undefined ? {} : { failure }),
      simulatorHash: hashOf(candidate.simulator),
      score,
      novelty,
      refusal,
      probe,
    };
  });
}

function evictionRecords(known: RunPool | null, { decision, played }: Decided): EvictionRecord[] {
  const told = new Map(decision.evictions?.map((eviction) => [eviction.name, eviction]));
  const stays = new Set(played.map(({ name }) => name));
  return (known?.entries ?? [])
    .filter(({ name }) => !stays.has(name))
    .map(({ name, simulatorHash: hash }) => ({
      ...(told.get(name) ?? { name, reason: 'no longer chosen' }),
      simulatorHash: hash,
    }));
}

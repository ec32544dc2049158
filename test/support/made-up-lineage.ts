import type { StoredCandidate } from '../../infra/postgres/candidate-rows.ts';
import type { MinedFailure, PoolExit, PoolMembership, RunLineage, Taught } from '../../infra/postgres/lineage-rows.ts';

/** A lineage of which nothing is known but what a test says. */
export function madeUpLineage(change: Partial<RunLineage>): RunLineage {
  const panels = [
    { panel: 'train', name: 'zero', simulatorHash: 'zero' },
    { panel: 'validation', name: 'top', simulatorHash: 'top' },
  ] as const;
  return {
    ...{ runId: 'example/pool/0', variant: 'pool', seed: 0, sourceId: 'example/pool/0', panels },
    ...{ pools: [], candidates: [], exits: [], taught: [], failures: [] },
    ...change,
  };
}

/** A simulator in the pool from a round on; its content is called as it is. */
export function memberAt(round: number, name: string, change: Partial<PoolMembership> = {}): PoolMembership {
  const named = { round, name, simulatorHash: name };
  return { ...named, weight: 0.5, parents: [], reason: `put in ${name}`, failure: null, contribution: null, ...change };
}

export function candidateAt(round: number, name: string, change: Partial<StoredCandidate> = {}): StoredCandidate {
  const measured = { score: 0.5, novelty: NaN, probeEpisodes: 0, probeReturn: NaN, refusal: null };
  const named = { round, name, simulatorHash: name };
  return { ...named, parents: ['zero'], origin: `made ${name}`, failure: null, ...measured, ...change };
}

export function exitAt(round: number, name: string, change: Partial<PoolExit> = {}): PoolExit {
  return { round, name, simulatorHash: name, reason: `let ${name} go`, contribution: null, ...change };
}

export function taughtBy(name: string, change: Partial<Taught> = {}): Taught {
  const scored = { firstShortfall: null, lastShortfall: null };
  const episodes = { episodes: 100, firstRound: 1, lastRound: 2, firstReturn: -20, lastReturn: -10 };
  return { name, simulatorHash: name, ...episodes, ...scored, ...change };
}

/** The failure of `top` at a place of a round. */
export function failureAt(round: number, position: number, change: Partial<MinedFailure> = {}): MinedFailure {
  return { round, position, name: 'top', return: -30, score: 0.125, keyMoment: 12, group: 3, ...change };
}

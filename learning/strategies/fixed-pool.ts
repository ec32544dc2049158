import {
  ONE_LEARNER,
  PLAIN_EPISODES,
  type Decision,
  type PoolEntry,
  type Strategy,
  type StrategyState,
} from './contract.ts';

/** What a strategy is that needs nothing, plays no probes and trains the learners alone, in one simulator. */
export const PLAIN_STRATEGY = {
  needs: () => [],
  probeEpisodesMax: () => 0,
  playedMax: () => 1,
  learnerCount: () => 1,
  mining: () => null,
} as const satisfies Partial<Strategy>;

/** What a strategy is beyond that which decides once, when the run starts, and needs no candidates. */
export const DECIDED_ONCE = {
  ...PLAIN_STRATEGY,
  isDue: (_options: unknown, roundIndex: number) => roundIndex === 0,
  propose: () => ({ state: {}, candidates: [], probes: [] }),
} as const satisfies Partial<Strategy>;

/** A decision of which only the pool is special. */
export function poolDecision(state: StrategyState, pool: readonly PoolEntry[]): Decision {
  return { state, pool, partners: [], members: ONE_LEARNER, episodeRule: PLAIN_EPISODES };
}

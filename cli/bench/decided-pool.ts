import type { RunPool } from '../../infra/postgres/pool-rows.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { World } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { strategyEvidence } from '../../specification/evidence.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

/** The pool of a variant whose strategy decides once, without playing: that of all its rounds. */
export function decidedPool(resolved: ResolvedVariant, world: World, seed: number): RunPool {
  const strategy = DEFAULT_REGISTRIES.strategies[resolved.strategy.kind]!;
  const evidence = strategyEvidence(resolved, world, 0);
  const random = new RandomStream(keyFrom(seed, PURPOSE.strategy, 0, 0));
  const proposal = strategy.propose(null, evidence, random);
  const { pool, members, state, episodeRule } = strategy.decide(proposal, evidence, {}, random);
  const entries = pool.map((entry) => ({ ...entry, simulatorHash: '', failure: null, contribution: null }));
  return { round: 0, entries, members, state, episodeRule };
}

import { commitPool, findPool } from '../infra/postgres/pool-rows.ts';
import type { Decision } from '../learning/strategies/contract.ts';
import { ThawError } from '../schemas/errors.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import { keyFrom, PURPOSE, RandomStream } from '../simulators/random.ts';
import { strategyEvidence } from '../specification/evidence.ts';
import { simulatorHash } from '../specification/identity.ts';
import { openWorld } from '../specification/open-world.ts';
import { runAttempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { simulatorRecord } from './simulator-record.ts';

/** How often a strategy is asked again when its draws came upon a held-out simulator. */
const TRIALS_MAX = 100;

/** Lets the strategy choose the pool that holds from a round on. */
export async function adaptPool(
  dependencies: ActivityDependencies,
  { runId, round }: { runId: string; round: number },
): Promise<void> {
  const { database, registries } = dependencies;
  const known = await findPool(database, runId, round);
  if (known?.round === round) return;
  await runAttempt(dependencies, { runId, kind: 'adapt_pool', round }, async (attempt) => {
    const { run, token } = attempt;
    const { resolved, seed } = run;
    const world = openWorld(resolved, registries);
    const strategy = registries.strategies[resolved.strategy.kind]!;
    const evidence = strategyEvidence(resolved, world, round);
    const decision = decideUnseen(world, resolved, (trial) => {
      const random = new RandomStream(keyFrom(seed, PURPOSE.strategy, round, trial));
      const proposal = strategy.propose(known?.state ?? null, evidence, random);
      if (proposal.probes.length > 0) {
        throw new ThawError('REQUEST_NOT_AVAILABLE', `this version cannot play the probes of ${strategy.kind}`);
      }
      return strategy.decide(proposal, evidence, {}, random);
    });
    const entries = decision.pool.map(({ simulator, ...entry }) => ({
      ...entry,
      simulatorHash: simulatorHash(world, simulator),
    }));
    const simulators = decision.pool.map(({ simulator }) => simulatorRecord(world, simulator));
    const { state, episodeRule, members } = decision;
    await commitPool(database, token, { round, entries, members, state, episodeRule }, simulators, attempt.done());
  });
}

/**
 * Held-out means held out: a decision that would train on the equal of a validation or test simulator is made again with
 * other chance, the same in every attempt.
 * @throws REQUEST_CONFLICT when the strategy's draws give nothing else
 */
function decideUnseen(world: World, resolved: ResolvedVariant, decide: (trial: number) => Decision): Decision {
  const { panels, simulators } = resolved;
  const heldOut = new Map(
    [...panels.validation, ...panels.test].map((name) => [simulatorHash(world, simulators[name]!), name]),
  );
  let equal: string | undefined;
  for (let trial = 0; trial < TRIALS_MAX; trial += 1) {
    const decision = decide(trial);
    equal = decision.pool
      .map(({ simulator }) => heldOut.get(simulatorHash(world, simulator)))
      .find((name) => name !== undefined);
    if (equal === undefined) return decision;
  }
  throw new ThawError(
    'REQUEST_CONFLICT',
    `every pool that was drawn holds the equal of the held-out simulator ${equal}`,
    {
      remedy: 'Narrow `randomization` so that it does not give the held-out simulator, or hold out another one.',
    },
  );
}

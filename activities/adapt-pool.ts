import { commitPool, findPool, type SimulatorRecord } from '../infra/postgres/pool-rows.ts';
import type { Decision } from '../learning/strategies/contract.ts';
import { ThawError } from '../schemas/errors.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { keyFrom, PURPOSE, RandomStream } from '../simulators/random.ts';
import { strategyEvidence } from '../specification/evidence.ts';
import { simulatorHash } from '../specification/identity.ts';
import { openWorld } from '../specification/open-world.ts';
import { runAttempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Lets the strategy choose the pool that holds from a round on. */
export async function adaptPool(
  dependencies: ActivityDependencies,
  { runId, round }: { runId: string; round: number },
): Promise<void> {
  const { database, registries } = dependencies;
  const known = await findPool(database, runId, round);
  if (known?.round === round) return;
  await runAttempt(dependencies, { runId, kind: 'adapt_pool', round }, async ({ run, token }) => {
    const { resolved, seed } = run;
    const world = openWorld(resolved, registries);
    const strategy = registries.strategies[resolved.strategy.kind]!;
    const evidence = strategyEvidence(resolved, world, round);
    const random = new RandomStream(keyFrom(seed, PURPOSE.strategy, round));
    const proposal = strategy.propose(known?.state ?? null, evidence, random);
    if (proposal.probes.length > 0) {
      throw new ThawError('REQUEST_NOT_AVAILABLE', `this version cannot play the probes of ${strategy.kind}`);
    }
    const decision = strategy.decide(proposal, evidence, {}, random);
    requireUnseen(world, resolved, decision);
    const members = decision.pool.map(({ name, simulator, weight, parents, reason }) => ({
      name,
      simulatorHash: simulatorHash(world, simulator),
      weight,
      parents,
      reason,
    }));
    const simulators = decision.pool.map(({ simulator }) => simulatorRecord(world, simulator));
    const { state, episodeRule } = decision;
    await commitPool(database, token, { round, members, state, episodeRule }, simulators);
  });
}

/** Held-out means held out: whatever a strategy decides, nothing equal to a validation or test simulator is trained on. */
function requireUnseen(world: World, { panels, simulators }: ResolvedVariant, { pool }: Decision): void {
  const heldOut = new Map(
    [...panels.validation, ...panels.test].map((name) => [simulatorHash(world, simulators[name]!), name]),
  );
  for (const { name, simulator } of pool) {
    const equal = heldOut.get(simulatorHash(world, simulator));
    if (equal !== undefined) {
      throw new ThawError('DEFECT_INVARIANT', `the pool would hold ${name}, which is the held-out simulator ${equal}`);
    }
  }
}

export function simulatorRecord(world: World, simulator: SimulatorData): SimulatorRecord {
  return {
    hash: simulatorHash(world, simulator),
    family: world.family,
    familyVersion: world.version,
    familyOptions: world.options,
    simulator,
  };
}

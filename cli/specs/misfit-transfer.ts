import { initialWeights } from '../../activities/session-policies.ts';
import { executorOn } from '../../infra/executors.ts';
import type { AlgorithmParameters } from '../../learning/algorithms/contract.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

/**
 * Makes the networks of a variant from the policies that they are to start from, because only these know what fits.
 * Policies that are not among the given are passed over: they are stored already, and read when a run begins.
 *
 * @param policies SHA-256 → content
 * @throws REQUEST_CONFLICT or REQUEST_BAD_ARGUMENT when something does not fit
 */
export async function tryTransfer(variant: ResolvedVariant, policies: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const parameters: AlgorithmParameters = variant.algorithm;
  const { transfer } = parameters;
  const given = Object.entries(transfer?.policies ?? {}).filter(([, policy]) => policies.has(policy?.artifact ?? ''));
  if (!transfer || given.length === 0) return;
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const learner = await DEFAULT_REGISTRIES.algorithms[parameters.name]!.createLearner({
    world,
    learners: variant.learners,
    parameters,
    executor: await executorOn('cpu'),
    updateCount: 1,
    seed: 0,
    memberIndex: 0,
    initial: await initialWeights(
      { ...parameters, transfer: { ...transfer, policies: Object.fromEntries(given) } },
      world,
      { read: async (artifact) => policies.get(artifact)! },
    ),
  });
  await learner.release();
}

import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { decisionSteps } from './decision-steps.ts';
import type { Finding } from './finding.ts';
import { blockSteps, trainingBlocks } from './plan.ts';
import type { Registries } from './registries.ts';

/** A budget that counts all env steps and leaves too few of them to train on in every round. */
export function checkBudget(variant: ResolvedVariant, registries: Registries): Finding[] {
  const { budget } = variant;
  if (budget.count === 'training' || trainingBlocks(variant, registries) >= budget.rounds) return [];
  const block = blockSteps(variant);
  const decisions = decisionSteps(variant, registries).total;
  const least = budget.rounds * block + decisions;
  return [
    {
      path: ['budget', 'env_steps'],
      found: `${budget.env_steps}, of which decisions of the strategy may take ${decisions}`,
      expected: `at least ${least}: besides these, ${block} env steps for one update in each of ${budget.rounds} rounds`,
      remedy: `Raise it to ${least}, ask for fewer rounds, let the strategy decide less often, or count "training".`,
    },
  ];
}

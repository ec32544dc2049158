import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { decisionSteps } from './decision-steps.ts';
import type { Finding } from './finding.ts';
import { blockSteps, roundSchedule } from './plan.ts';
import type { Registries } from './registries.ts';

interface Span {
  readonly rounds: number;
  /** Update blocks of all learners together. */
  readonly blocks: number;
}

/** More learners than there are update blocks between two comparisons: some would be judged without having trained. */
export function checkMembers(variant: ResolvedVariant, registries: Registries): Finding[] {
  const { strategy: options, budget } = variant;
  const members = registries.strategies[options.kind]!.learnerCount(options);
  if (members <= 1) return [];
  const { rounds, blocks } = shortestSpan(variant, registries);
  if (members <= blocks) return [];
  // Any r rounds of R hold ⌊r·U/R⌋ of U blocks at least.
  const updates = Math.ceil((members * budget.rounds) / rounds);
  const decisions = budget.count === 'all' ? decisionSteps(variant, registries).total : 0;
  const least = updates * blockSteps(variant) + decisions;
  return [
    {
      path: ['strategy', 'size'],
      found: `${members} members share ${blocks} update blocks: ${members - blocks} would never train before they are compared`,
      expected: `at most as many members as update blocks between two comparisons, ${rounds} of ${budget.rounds} rounds`,
      remedy: `Lower the size, raise budget.env_steps to ${least}, or compare less often.`,
    },
  ];
}

/** The rounds with the fewest update blocks of those that end with a comparison; all of the run where none does. */
function shortestSpan(variant: ResolvedVariant, registries: Registries): Span {
  const { updatesOfRound } = roundSchedule(variant, registries);
  const strategy = registries.strategies[variant.strategy.kind]!;
  const spans: Span[] = [];
  let span: Span = { rounds: 0, blocks: 0 };
  updatesOfRound.forEach((blocks, round) => {
    if (round > 0 && strategy.isDue(variant.strategy, round)) {
      spans.push(span);
      span = { rounds: 0, blocks: 0 };
    }
    span = { rounds: span.rounds + 1, blocks: span.blocks + blocks };
  });
  return spans.length === 0 ? span : spans.reduce((least, other) => (other.blocks < least.blocks ? other : least));
}

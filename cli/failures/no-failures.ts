import type { ListedFailure, StoredMinedSimulator } from '../../infra/postgres/failure-rows.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import type { Strategy } from '../../learning/strategies/contract.ts';
import type { ResolvedExperiment, ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { isInScope, type Scope } from '../runs/find-target.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';

/** Everything that was found out about mining in an experiment. */
export interface MiningOverview {
  readonly resolved: Pick<ResolvedExperiment, 'variants'>;
  readonly runs: readonly Pick<RunStatus, 'variant' | 'seed' | 'roundsCompleted'>[];
  readonly failures: readonly Pick<ListedFailure, 'variant' | 'seed' | 'group'>[];
  readonly mined: readonly Pick<StoredMinedSimulator, 'variant' | 'seed' | 'isImpossible'>[];
}

type Strategies = Readonly<Record<string, Pick<Strategy, 'isDue' | 'mining'>>>;

/** Why there is no failure to show: a line for every variant that is asked about. */
export function noFailuresText(
  { resolved, runs, failures, mined }: MiningOverview,
  scope: Scope,
  strategies: Strategies,
): string {
  const lines = Object.entries(resolved.variants)
    .filter(([variant]) => scope.variant === undefined || scope.variant === variant)
    .map(([name, variant]) => {
      const own = <Row extends { variant: string; seed: number }>(rows: readonly Row[]): readonly Row[] =>
        rows.filter((row) => isInScope(row, { ...scope, variant: name }));
      const known = { runs: own(runs), failures: own(failures), mined: own(mined) };
      return `${name}: ${reasonOf(variant, known, strategies)}.`;
    });
  return ['No failures to show.', ...lines].join('\n');
}

function reasonOf(
  variant: ResolvedVariant,
  { runs, failures, mined }: Omit<MiningOverview, 'resolved'>,
  strategies: Strategies,
): string {
  if (failures.length > 0) {
    return `its failures are in ${groupsText([...new Set(failures.map(({ group }) => group))])}`;
  }
  if (mined.length > 0) {
    const impossible = mined.filter(({ isImpossible }) => isImpossible).length;
    return `${pluralText(mined.length, 'simulator')} mined, ${impossible} of them impossible, and no episode was a failure`;
  }
  const first = firstMining(variant, strategies);
  if (first === null) return `the strategy ${variant.strategy.kind} does not mine in these rounds`;
  const completed = Math.max(0, ...runs.map(({ roundsCompleted }) => roundsCompleted));
  return `nothing mined yet; it mines first after round ${first}, and ${completed} are completed`;
}

function groupsText(groups: readonly number[]): string {
  return `group${groups.length === 1 ? '' : 's'} ${groups.toSorted((one, other) => one - other).join(', ')}`;
}

/** The first round after which something is mined; null for none. After the last one nothing is decided any more. */
function firstMining({ strategy: options, budget }: ResolvedVariant, strategies: Strategies): number | null {
  const strategy = strategies[options.kind]!;
  for (let round = 1; round < budget.rounds; round += 1) {
    if (strategy.isDue(options, round) && strategy.mining(options, round) !== null) return round;
  }
  return null;
}

import type { ResultRow } from '../../learning/results/result-row.ts';
import type { AlsoSeen, DiagnosedRun } from '../../infra/postgres/diagnosis-rows.ts';
import type { Diagnosis } from '../../learning/diagnosis/contract.ts';
import type { VariantHistory } from '../../learning/diagnosis/history.ts';
import { diagnoseVariant } from '../../learning/diagnosis/registry.ts';
import { isCommand } from '../../learning/trainers/command.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';

/** What is wrong with the runs of a variant, and what else was measured of them. */
export interface VariantDiagnosis {
  readonly variant: string;
  readonly strategyKind: string;
  readonly rows: readonly ResultRow[];
  readonly diagnoses: readonly Diagnosis[];
  readonly seen: readonly (AlsoSeen & { readonly seed: number })[];
}

/** Which variants and seeds are asked about; undefined for all. */
export interface DiagnosisScope {
  readonly variant: string | undefined;
  readonly seed: number | undefined;
}

export interface DiagnosedExperiment {
  readonly resolved: Pick<ResolvedExperiment, 'variants' | 'execution'>;
  readonly rows: readonly ResultRow[];
  readonly runs: readonly DiagnosedRun[];
}

/** Diagnoses variant by variant, each from all its runs that are asked about, in the order of the spec. */
export function diagnoseVariants(experiment: DiagnosedExperiment, scope: DiagnosisScope): VariantDiagnosis[] {
  const { resolved, rows, runs } = experiment;
  const isAsked = (each: { readonly seed: number }): boolean => scope.seed === undefined || each.seed === scope.seed;
  return Object.entries(resolved.variants)
    .filter(([variant]) => scope.variant === undefined || variant === scope.variant)
    .map(([variant, { strategy, verdict, randomization, algorithm }]) => {
      const own = runs.filter((run) => run.variant === variant && isAsked(run));
      const history: VariantHistory = {
        variant,
        strategyKind: strategy.kind,
        verdictLimits: verdict,
        memoryLimitMib: resolved.execution.memory_mib,
        isTrainedElsewhere: isCommand(algorithm),
        runs: own,
        randomization,
        randomSibling: randomSibling(experiment, variant),
      };
      return {
        variant,
        strategyKind: strategy.kind,
        rows: rows.filter((row) => row.variant === variant && isAsked(row)),
        diagnoses: diagnoseVariant(history),
        seen: own.map(({ seed, alsoSeen }) => ({ ...alsoSeen, seed })),
      };
    });
}

/** The first other variant that draws its simulators at random: what a generator must be better than. */
function randomSibling({ resolved, runs }: DiagnosedExperiment, variant: string): VariantHistory['randomSibling'] {
  const sibling = Object.entries(resolved.variants).find(
    ([name, { strategy }]) => name !== variant && strategy.kind === 'random_generator',
  )?.[0];
  if (sibling === undefined) return null;
  const returns = runs.flatMap(({ variant: name, seed, last }): [number, number][] =>
    name !== sibling || last === null || last.heldoutReturn === null ? [] : [[seed, last.heldoutReturn]],
  );
  return { variant: sibling, heldoutBySeed: new Map(returns) };
}

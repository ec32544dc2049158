import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { verdictsOf } from '../../web/documents/verdicts-of.ts';
import type { VariantDiagnosis } from '../../web/documents/variant-diagnoses.ts';

/** Diagnoses as JSON for other programs: all seven of every variant, found or not, with all their evidence. */
export function diagnosisDocument(
  { id, name, version, resultHash }: Pick<ExperimentRecord, 'id' | 'name' | 'version' | 'resultHash'>,
  variants: readonly VariantDiagnosis[],
): Record<string, unknown> {
  return {
    experiment: { id, name, version, hash: resultHash },
    variants: variants.map(({ variant, strategyKind, rows, diagnoses, seen }) => ({
      variant,
      strategy: strategyKind,
      runs: rows.length,
      verdicts: verdictsOf(rows),
      diagnoses,
      also_seen: seen.map(({ seed, riseThenFall, fall, cliffs }) => ({
        seed,
        rise_then_fall: riseThenFall,
        fall,
        cliffs,
      })),
    })),
  };
}

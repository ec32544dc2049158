import type { EvidenceItem } from '../../learning/diagnosis/contract.ts';
import { summarize, verdictCounts } from '../../learning/results/result-summary.ts';
import { mean } from '../../learning/statistics/moments.ts';
import { measureText, pluralText } from './quantity-text.ts';
import type { VariantDiagnosis } from './variant-diagnoses.ts';

/** The verdict never alone: a low gap at a low held-out return is no success. */
export function verdictText({ rows }: Pick<VariantDiagnosis, 'rows'>): string {
  const counts = verdictCounts(rows);
  if (counts === '') return 'No verdict yet: no run has been evaluated after training.';
  const returns = [
    `${averageText(rows, 'train_return')} in training`,
    `${averageText(rows, 'heldout_return')} held out`,
    `${averageText(rows, 'worst_heldout')} on the worst held-out simulator`,
    `${randomText(rows)} by a random policy there`,
  ];
  return `Verdict: ${counts} of ${pluralText(rows.length, 'run')}. Mean return ${returns.join(', ')}.`;
}

function averageText(rows: VariantDiagnosis['rows'], metric: string): string {
  return measureText(summarize(rows, metric).mean);
}

function randomText(rows: VariantDiagnosis['rows']): string {
  const values = rows.flatMap(({ last }) =>
    last === null || last.heldoutReturn === null || last.heldoutGain === null
      ? []
      : [last.heldoutReturn - last.heldoutGain],
  );
  return measureText(values.length === 0 ? null : mean(values));
}

/** A measured fact in one line. */
export function evidenceText(item: EvidenceItem): string {
  const { what, unit, limit } = item;
  const measured = unit === '' || item.value === null ? evidenceValue(item) : `${evidenceValue(item)} ${unit}`;
  return `${what}: ${measured}${limit === undefined ? '' : ` (limit ${evidenceNumber(limit)})`}`;
}

/** The value of a fact, without its unit. */
export function evidenceValue({ value }: EvidenceItem): string {
  if (value === null) return 'not measured';
  return typeof value === 'string' ? value : evidenceNumber(value);
}

export const evidenceNumber = (value: number): string => (Number.isInteger(value) ? String(value) : measureText(value));

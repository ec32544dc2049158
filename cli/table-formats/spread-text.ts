import { measureText } from '../../web/documents/quantity-text.ts';
import type { Summary } from '../../learning/results/result-summary.ts';

/** Mean ± standard deviation, the latter only where there are two values. */
export function spreadText({ mean, std }: Pick<Summary, 'mean' | 'std'>): string {
  if (mean === null || std === null || Number.isNaN(std)) return measureText(mean);
  return `${measureText(mean)} ± ${measureText(std)}`;
}

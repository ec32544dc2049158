import type { Finding } from './finding.ts';
import { hasValue, type Path } from './path.ts';

/** What is wrong in one variant, by its place in the variant merged into the experiment. */
export interface VariantFindings {
  readonly name: string;
  /** The variant as it is written. */
  readonly override: unknown;
  readonly findings: readonly Finding[];
}

/**
 * Findings at the place where their author wrote what is wrong: in the variant where it says so, otherwise in the
 * experiment, and then once for all variants that share it.
 */
export function placeInVariants(variants: readonly VariantFindings[]): Finding[] {
  const inVariants = new Map<string, { finding: Finding; names: string[] }>();
  for (const { name, override, findings } of variants) {
    for (const finding of findings) {
      const isOwn = isWrittenIn(override, finding.path);
      const path = isOwn ? ['variants', name, ...finding.path] : finding.path;
      const key = JSON.stringify([path, finding.found, finding.expected]);
      const entry = inVariants.get(key) ?? { finding: { ...finding, path }, names: [] };
      if (!entry.names.includes(name)) entry.names.push(name);
      inVariants.set(key, entry);
    }
  }
  return [...inVariants.values()].map(({ finding, names }) =>
    names.length === variants.length && finding.path[0] !== 'variants'
      ? finding
      : { ...finding, variant: names.join(', ') },
  );
}

/** Whether an override holds a place, or the object or array that lacks it. */
function isWrittenIn(override: unknown, path: Path): boolean {
  return hasValue(override, path) || (path.length > 1 && hasValue(override, path.slice(0, -1)));
}

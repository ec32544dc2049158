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
 * @param base the experiment without its variants
 */
export function placeInVariants(base: unknown, variants: readonly VariantFindings[]): Finding[] {
  const inVariants = new Map<string, { finding: Finding; names: string[] }>();
  for (const { name, override, findings } of variants) {
    for (const finding of findings) {
      const isOwn =
        hasValue(override, finding.path) || (!hasValue(base, finding.path) && lacks(override, finding.path));
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

/** Whether an override holds the object or array in which something is missing. */
function lacks(override: unknown, path: Path): boolean {
  return path.length > 1 && hasValue(override, path.slice(0, -1));
}

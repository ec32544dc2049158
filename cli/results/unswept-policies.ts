import { partnerChanges } from '../../learning/measures/sensitivity-changes.ts';
import { isThawError } from '../../schemas/errors.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

/**
 * Which scripted policies of the worlds of some variants were not put on the partners' seats, and why; null where all were.
 * @param variants those in which partners were exchanged, by name
 */
export function unsweptText(variants: Readonly<Record<string, ResolvedVariant>>): string | null {
  const entries = Object.entries(variants);
  const variantsOf = new Map<string, string[]>();
  for (const [name, variant] of entries) {
    for (const policy of unsweptPolicies(variant)) {
      variantsOf.set(policy, [...(variantsOf.get(policy) ?? []), name]);
    }
  }
  if (variantsOf.size === 0) return null;
  const policies = [...variantsOf].map(([policy, names]) =>
    names.length === entries.length ? policy : `${policy} (${names.join(', ')})`,
  );
  return `Not tried as partners, because their numbers (such as weights) cannot be gone through one by one: ${policies.join(', ')}.`;
}

/** None where this program has another version of the world: what was measured can be shown all the same. */
function unsweptPolicies(variant: ResolvedVariant): readonly string[] {
  try {
    // Whom the pool holds makes no difference to who can replace him.
    return partnerChanges(openWorld(variant, DEFAULT_REGISTRIES), [], variant.learners).leftOut;
  } catch (error) {
    if (isThawError(error) && error.code === 'REQUEST_NOT_AVAILABLE') return [];
    throw error;
  }
}

import { ThawError } from '../schemas/errors.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import { worldOf } from './open-family.ts';
import type { Registries } from './registries.ts';

/**
 * The world of a resolved variant.
 * @throws REQUEST_NOT_AVAILABLE when this program lacks the family or has another version of it
 */
export function openWorld(variant: ResolvedVariant, { families }: Pick<Registries, 'families'>): World {
  const family = Object.hasOwn(families, variant.family) ? families[variant.family] : undefined;
  if (family === undefined || family.version !== variant.family_version) {
    const here = family === undefined ? 'is unknown' : `has version ${family.version}`;
    throw new ThawError(
      'REQUEST_NOT_AVAILABLE',
      `the variant was resolved for version ${variant.family_version} of ${variant.family}, which ${here} here`,
      { remedy: 'Submit the spec again to resolve it for this version of Thaw.' },
    );
  }
  return worldOf(family, family.optionsSchema.parse(variant.family_options));
}

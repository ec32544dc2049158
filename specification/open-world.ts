import type { z } from 'zod';
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
  if (family === undefined) throw otherVersion(variant, 'is unknown');
  // A family of one version may reach worlds of many.
  const isReached = family.placeholder !== undefined;
  if (!isReached && family.version !== variant.family_version) {
    throw otherVersion(variant, `has version ${family.version}`);
  }
  const options = family.optionsSchema.safeParse(variant.family_options);
  if (!options.success) throw otherVersion(variant, `cannot be opened (${issuesText(options.error)})`);
  const world = worldOf(family, options.data);
  if (world.version !== variant.family_version) throw otherVersion(variant, `has version ${world.version}`);
  return world;
}

function issuesText({ issues }: z.ZodError): string {
  return issues
    .map((issue) => {
      const found = issue.code === 'custom' ? (issue.params?.['found'] as string | undefined) : undefined;
      return `${issue.path.join('.')}: ${found === undefined ? '' : `${found}; expected `}${issue.message}`;
    })
    .join('; ');
}

function otherVersion({ family, family_version: version }: ResolvedVariant, here: string): ThawError {
  return new ThawError(
    'REQUEST_NOT_AVAILABLE',
    `the variant was resolved for version ${version} of ${family}, which ${here} here`,
    { remedy: 'Submit the spec again to resolve it for this version of Thaw.' },
  );
}

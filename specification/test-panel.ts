import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { contentHash } from './identity.ts';
import { withoutLaterOptions } from './later-keys.ts';

type Setting = Pick<ResolvedVariant, 'family' | 'family_version' | 'family_options' | 'panels' | 'simulators'>;

/**
 * Identity of a test panel: returns of the last checkpoint can be compared where it is equal. Names and order of its simulators
 * are no part of it. It is made from what was stored, so also of a version of a family that this program does not have.
 *
 * @returns null where nothing is held out
 */
export function testPanelHash({ panels, simulators, ...world }: Setting): string | null {
  const { family, family_version: version } = world;
  const options = withoutLaterOptions(family, world.family_options);
  const hashes = panels.test.map((name) => contentHash({ family, version, options, simulator: simulators[name] }));
  return hashes.length === 0 ? null : contentHash(hashes.sort());
}

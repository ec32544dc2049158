import { ThawError } from '../../schemas/errors.ts';
import type { World } from '../../simulators/contract.ts';

/**
 * Refuses a policy that Thaw exported for another world than the one it is put into.
 * @param metadata of its file; nothing is known of a policy from elsewhere
 * @param name what errors call it
 * @returns what differs from how it was trained, and may be meant; empty for nothing
 * @throws REQUEST_CONFLICT when the family is another, or has other rules now
 */
export function differencesOfOrigin(metadata: ReadonlyMap<string, string>, world: World, name: string): string[] {
  const [family, version] = [metadata.get('family'), metadata.get('family_version')];
  if (family === undefined || version === undefined) return [];
  if (family !== world.family) {
    throw new ThawError('REQUEST_CONFLICT', `${name} was exported for ${family}, and this is ${world.family}.`, {
      remedy: `Name a policy that was trained in ${world.family}, or simulators of ${family}.`,
    });
  }
  if (version !== world.version) {
    throw new ThawError(
      'REQUEST_CONFLICT',
      `${name} was exported for version ${version} of ${family}, which has version ${world.version} here.`,
      { remedy: 'Its rules have changed since: train it anew, or use the version of Thaw that exported it.' },
    );
  }
  const options = JSON.parse(metadata.get('family_options') ?? '{}') as Record<string, unknown>;
  return Object.entries(options)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(world.options[key]))
    .map(([key, value]) => `${key} ${JSON.stringify(value)}, here ${JSON.stringify(world.options[key])}`);
}

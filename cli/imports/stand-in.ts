import { failingStart } from '../../learning/failures/generators/edits/failing-start.ts';
import { numbersOfStart, startPaths } from '../../learning/failures/mining/start-numbers.ts';
import { keyFrom } from '../../simulators/random.ts';
import { contentHash } from '../../specification/identity.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

// What stands where nobody can be asked what an import holds: the rest of a spec can be checked with it, and nothing runs
// with it.

/** A hash that no policy has. */
export function standInPolicy(reference: string): string {
  return contentHash({ reference });
}

/**
 * A start that an episode of the document's world could have, another for each reference, so that simulators stay apart.
 * @returns undefined where the document's world cannot be opened, which is told elsewhere
 */
export function standInStart(
  document: Readonly<Record<string, unknown>>,
  reference: string,
): Readonly<Record<string, unknown>> | undefined {
  const family = DEFAULT_REGISTRIES.families[String(document['family'])];
  const options = family?.optionsSchema.safeParse(document['family_options'] ?? {});
  if (family === undefined || options?.success !== true) return undefined;
  const world = family.open(options.data);
  const simulator = world.simulatorSchema.parse({});
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(simulator), keyFrom(Number.parseInt(contentHash({ reference }).slice(0, 12), 16)));
  const numbers = numbersOfStart(world, simulator, batch.state(0));
  return failingStart(startPaths(world), numbers, world.parameters) ?? undefined;
}

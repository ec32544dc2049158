import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import type { World } from '../../simulators/contract.ts';
import { nearestName } from '../../specification/nearest.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

/**
 * The world that arguments name.
 * @throws REQUEST_BAD_ARGUMENT naming the families there are, or everything that is wrong with the options
 */
export function openNamedWorld(familyName: string, options: unknown): World {
  const { families } = DEFAULT_REGISTRIES;
  const family = families[familyName];
  if (family === undefined) throw unknownName('family', familyName, Object.keys(families));
  return family.open(parseArgument('--options', family.optionsSchema, options));
}

/**
 * What an argument holds, checked by its schema.
 * @throws REQUEST_BAD_ARGUMENT with everything that is wrong with it
 */
export function parseArgument<Value>(name: string, schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ThawError('REQUEST_BAD_ARGUMENT', `${name} is wrong:\n${z.prettifyError(parsed.error)}`);
}

/** An error that names what there is, and what may have been meant. */
export function unknownName(what: string, name: string, known: readonly string[]): ThawError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return new ThawError('REQUEST_BAD_ARGUMENT', `There is no ${what} "${name}".${hint} Known: ${known.join(', ')}.`);
}

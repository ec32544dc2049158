import { ThawError } from '../../schemas/errors.ts';

/** Names of specs, and those made of them, such as `specialist.NAME`. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,149}$/;

/**
 * The name of a file made of names and numbers, joined by hyphens: the only way in which a name of a spec or a row becomes a
 * path. It names a file of its folder and nothing else; names that no spec may have, as rows from elsewhere could, are refused.
 *
 * @param options.numbers counts and indices, which come last: so two files are never called the same
 * @throws DEFECT_INVARIANT
 */
export function fileNameFrom(options: { name: string; numbers: readonly number[]; ending: string }): string {
  const { numbers, ending } = options;
  const name = folderNameFrom(options.name);
  const wrong = numbers.find((number) => !Number.isSafeInteger(number) || number < 0);
  if (wrong !== undefined) throw refused(String(wrong));
  return `${[name, ...numbers].join('-')}.${ending}`;
}

/** The same for a folder that has a name's name. @throws DEFECT_INVARIANT */
export function folderNameFrom(name: string): string {
  if (!NAME.test(name)) throw refused(JSON.stringify(name));
  return name;
}

function refused(part: string): ThawError {
  return new ThawError('DEFECT_INVARIANT', `${part} cannot be part of the name of a file.`);
}

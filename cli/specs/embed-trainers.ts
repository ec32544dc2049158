import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Problem } from '../../schemas/problem.ts';
import type { PolicyFiles } from '../policies/policy-files.ts';
import { readLimited } from '../files/read-limited.ts';

const PROGRAM_BYTES_MAX = 64 * 2 ** 20;
const FILES_MAX = 1000;

type Document = Record<string, unknown>;

/**
 * Puts what is in the files of trainers in the place of their names: `files` becomes path → SHA-256, because a program is what
 * it contains, and runs may be carried out where the files are not. Left out, it is the arguments of the command that are
 * files.
 * @param folder that relative names count from
 */
export async function embedTrainers(
  document: unknown,
  folder: string,
): Promise<{ document: unknown; files: PolicyFiles; problems: Problem[] }> {
  const files = new Map<string, Uint8Array>();
  const problems: Problem[] = [];
  const embed = async (setting: unknown, place: string): Promise<unknown> => {
    if (!isDocument(setting) || !isDocument(setting['trainer'])) return setting;
    const { trainer } = setting;
    const names = namesIn(trainer, folder);
    if (names === null) return setting;
    const hashes: [string, string][] = [];
    for (const name of names.slice(0, FILES_MAX)) {
      const bytes = await readWithin(folder, name).catch((error: Error) => error);
      if (bytes instanceof Error) problems.push(unreadable(`${place}trainer.files`, name, bytes));
      else {
        const hash = createHash('sha256').update(bytes).digest('hex');
        files.set(hash, bytes);
        hashes.push([name, hash]);
      }
    }
    return { ...setting, trainer: { ...trainer, files: Object.fromEntries(hashes) } };
  };
  const outer = await embed(document, '');
  if (!isDocument(outer) || !isDocument(outer['variants'])) return { document: outer, files, problems };
  const variants: Document = {};
  for (const [name, variant] of Object.entries(outer['variants'])) {
    variants[name] = await embed(variant, `variants.${name}.`);
  }
  return { document: { ...outer, variants }, files, problems };
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of the files, as they are written or as the command shows them; null where nothing is to be read. */
function namesIn({ files, command }: Document, folder: string): readonly string[] | null {
  if (Array.isArray(files)) return files.every((name) => typeof name === 'string') ? files : null;
  if (files !== undefined || !Array.isArray(command)) return null;
  const words = command.filter((word): word is string => typeof word === 'string');
  return [...new Set(words)].filter((word) => !path.isAbsolute(word) && isFile(path.resolve(folder, word)));
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;

/** @throws when it cannot be read, or lies outside of the folder: the program finds it by the same name in another */
async function readWithin(folder: string, name: string): Promise<Uint8Array> {
  const file = path.resolve(folder, name);
  if (!file.startsWith(path.resolve(folder) + path.sep))
    throw new Error('it is not in the folder of the spec, nor below it');
  return readLimited(file, { bytesMax: PROGRAM_BYTES_MAX, isPlain: true });
}

function unreadable(place: string, file: string, error: Error): Problem {
  return {
    code: 'REQUEST_FILE_UNREADABLE',
    path: place,
    found: `"${file}": ${error.message}`,
    expected: 'files in the folder of the spec or below it',
    remedy: 'Check the path, or put the program beside the spec.',
  };
}

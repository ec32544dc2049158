import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '../../schemas/problem.ts';
import { nearestName } from '../../specification/nearest.ts';
import { readLimited } from '../files/read-limited.ts';

/** Bytes of a file with an experiment; the largest that make sense have some 10 kB. */
export const SPEC_BYTES_MAX = 16 * 2 ** 20;
const MIB = 2 ** 20;

export type SpecText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: Problem };

/** The text of a file with an experiment, or why there is none. Its size is looked at before anything of it is read. */
export async function readSpecText(file: string): Promise<SpecText> {
  try {
    const status = await stat(file);
    if (status.isDirectory()) return refused('a folder', 'Name the files in it, e.g. FOLDER/*.json.');
    // A pipe is what a shell gives for `<(command)`.
    if (!status.isFile() && !status.isFIFO()) return refused('neither a file nor a pipe', CHECK_PATH);
    if (status.size > SPEC_BYTES_MAX) return refused(`a file of ${(status.size / MIB).toFixed(1)} MiB`, SPLIT);
    return textOf(await readLimited(file, { bytesMax: SPEC_BYTES_MAX }));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return refused(REASONS[code] ?? message, code === 'ENOENT' ? await otherPath(file) : CHECK_PATH);
  }
}

const CHECK_PATH = 'Check the path, and that you may read it.';
const SPLIT = `Split the experiment: at most ${SPEC_BYTES_MAX / MIB} MiB are read.`;

/** What to do about a file that is not there: perhaps one is there whose name is much alike. */
async function otherPath(file: string): Promise<string> {
  const names = await readdir(path.dirname(file)).catch(() => []);
  const nearest = nearestName(path.basename(file), names);
  if (nearest === undefined) return `${CHECK_PATH} \`thaw init FILE\` writes a first one.`;
  return `Name ${path.join(path.dirname(file), nearest)}, if that is what was meant.`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'a folder',
  EACCES: 'a file that may not be read',
  EPERM: 'a file that may not be read',
  ELOOP: 'a link that leads nowhere',
  ENAMETOOLONG: 'a name that is too long for a file',
  ERR_INVALID_ARG_VALUE: 'a name that no file has',
};

function textOf(bytes: Buffer): SpecText {
  if (bytes.length === 0) return refused('an empty file', 'Write an experiment into it, or name another file.');
  if (bytes.includes(0)) return refused('a file that is no text', 'Name another file, or save it as UTF-8.');
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return refused('bytes that are no UTF-8', 'Save the file as UTF-8.');
  }
}

function refused(found: string, remedy: string): SpecText {
  const expected = 'a file with an experiment as JSON';
  return { ok: false, problem: { code: 'REQUEST_FILE_UNREADABLE', path: '', found, expected, remedy } };
}

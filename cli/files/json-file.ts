import { ThawError } from '../../schemas/errors.ts';
import { parseDocument } from '../../specification/parse-document.ts';
import { JSON_BYTES_MAX, readLimited } from './read-limited.ts';

/** What a file of JSON holds. @throws REQUEST_FILE_UNREADABLE, or the first problem of its text */
export async function readJson(file: string): Promise<unknown> {
  const content = await readLimited(file, { bytesMax: JSON_BYTES_MAX }).catch((error: unknown) => {
    throw new ThawError('REQUEST_FILE_UNREADABLE', `${file} cannot be read: ${(error as Error).message}`);
  });
  return parseJson(file, content.toString('utf8'));
}

/** What the text of a file means. @throws the first problem of it */
function parseJson(file: string, text: string): unknown {
  const parsed = parseDocument(text);
  if (parsed.ok) return parsed.document;
  const [problem] = parsed.problems;
  const { code, found, expected, remedy } = problem!;
  throw new ThawError(code, `${file}: found ${found}, expected ${expected}.`, { remedy });
}

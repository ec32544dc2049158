import { readFile } from 'node:fs/promises';
import { ThawError } from '../schemas/errors.ts';
import { parseDocument } from '../specification/parse-document.ts';

/** What a file of JSON holds. @throws REQUEST_FILE_UNREADABLE, or the first problem of its text */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ThawError('REQUEST_FILE_UNREADABLE', `${file} cannot be read: ${(error as Error).message}`);
  });
  return parseJson(file, text);
}

/** What the text of a file means. @throws the first problem of it */
export function parseJson(file: string, text: string): unknown {
  const parsed = parseDocument(text);
  if (parsed.ok) return parsed.document;
  const [problem] = parsed.problems;
  const { code, found, expected, remedy } = problem!;
  throw new ThawError(code, `${file}: found ${found}, expected ${expected}.`, { remedy });
}

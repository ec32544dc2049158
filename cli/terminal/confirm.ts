import { createInterface } from 'node:readline/promises';
import { ThawError } from '../../schemas/errors.ts';

/**
 * Asks before something that cannot be undone.
 * @returns whether the answer was yes
 * @throws REQUEST_BAD_ARGUMENT where nobody can be asked
 */
export async function confirm(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${question} Nobody can be asked here.`, {
      remedy: 'Add --yes if it is meant.',
    });
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isThawError } from '../../schemas/errors.ts';
import { parseQuery } from './query.ts';

const schema = z.strictObject({
  limit: z.int().min(1).default(7),
  state: z.array(z.enum(['A', 'B'])).optional(),
  round: z.union([z.enum(['last']), z.int()]).optional(),
  name: z.string().optional(),
});
const parsed = (text: string) => parseQuery(schema, new URLSearchParams(text));

/** What is said of a query that is refused. */
function refusal(text: string): string {
  try {
    parsed(text);
  } catch (error) {
    if (isThawError(error) && error.code === 'REQUEST_BAD_ARGUMENT') return error.message;
    throw error;
  }
  throw new Error(`${text} was taken`);
}

describe('a query', () => {
  it('becomes what its schema holds: numbers, lists with commas or repeated, texts as they are', () => {
    expect(parsed('limit=3&state=A,B&state=A&round=12&name=12')).toEqual({
      limit: 3,
      state: ['A', 'B', 'A'],
      round: 12,
      name: '12',
    });
    expect(parsed('round=last')).toEqual({ limit: 7, round: 'last' });
  });

  it('without a value has its default, as without the name', () => {
    expect(parsed('limit=&name=&state=')).toEqual({ limit: 7 });
  });

  it('is refused with everything that is wrong with it', () => {
    const message = refusal('limt=3&limit=0&state=C&name=a&name=b');
    for (const part of ['"limt" is no parameter here; did you mean limit?', 'limit:', 'state', 'name:']) {
      expect(message).toContain(part);
    }
  });

  it.each(['limit=1.5', 'limit=1e3', 'limit=0x10', 'limit=abc', 'limit=-1', 'limit=9999999999999999'])(
    'holds no number in %s',
    (text) => {
      expect(refusal(text)).toContain('limit');
    },
  );
});

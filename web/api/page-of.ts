import { z } from 'zod';

/** Most rows that are answered at once. */
const LIMIT_MAX = 1000;

/** The part of a query that asks for a page of a list. */
export function pageOf(limit: number) {
  return {
    limit: z.int().min(1).max(LIMIT_MAX).default(limit).describe('How many at most.'),
    offset: z.int().min(0).default(0).describe('How many to pass over.'),
  };
}

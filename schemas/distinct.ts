import type { z } from 'zod';

/** An array whose entries all differ, in zod and in the JSON Schema made of it. */
export function distinct<T extends z.ZodArray>(array: T): T {
  const isDistinct = (entries: unknown) => Array.isArray(entries) && new Set(entries).size === entries.length;
  return array.refine(isDistinct, 'every entry once').meta({ uniqueItems: true });
}

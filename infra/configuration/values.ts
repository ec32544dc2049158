import path from 'node:path';
import { z } from 'zod';

/** Counts from the current folder, and is absolute ever after. */
export const absolutePath = z.string().transform((value) => path.resolve(value));

export const urlOf = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `expected a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

/** Values of the variables of one part, by name, parsed. */
export type Variables<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

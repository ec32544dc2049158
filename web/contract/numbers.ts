import { z } from 'zod';

/** A number as JSON holds it: NaN and the infinities are strings, since JSON has no numbers for them. */
export const numberSchema = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);

/** A number, or null where nothing was measured. */
export const measureSchema = numberSchema.nullable();

export type JsonNumber = z.infer<typeof numberSchema>;

/** A mean over runs with its 95 % interval; none below five runs. */
export const intervalSchema = z.tuple([numberSchema, numberSchema]).nullable();

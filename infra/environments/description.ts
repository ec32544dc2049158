import { z } from 'zod';
import type { EnvironmentDescription } from '../../simulators/bridged/bridge.ts';

const actionsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('discrete'), count: z.int().min(1) }),
  z.object({ kind: z.literal('box'), low: z.array(z.number()).min(1), high: z.array(z.number()).min(1) }),
]);

/** What Python tells of an environment. */
export const keptDescriptionSchema = z.object({
  seats: z
    .array(z.object({ name: z.string(), role: z.string(), observation: z.int().min(1), actions: actionsSchema }))
    .min(1)
    .max(1024),
  masked: z.boolean(),
  episode_steps: z.int().min(1).nullable(),
  defaults: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  ranges: z.array(z.tuple([z.number(), z.number()])).min(1),
  versions: z.record(z.string(), z.string()),
}) satisfies z.ZodType<EnvironmentDescription>;

/** The same with the files that it is true for. */
export const descriptionSchema = keptDescriptionSchema.extend({ files: z.array(z.string()) });

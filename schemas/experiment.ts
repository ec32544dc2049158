import { z } from 'zod';
import { distinct } from './distinct.ts';
import { executionSchema } from './experiment-execution.ts';
import { LIMITS } from './experiment-limits.ts';
import { nameSchema, settingShape } from './experiment-setting.ts';

const seed = z.int().min(0).max(LIMITS.seedMax);

/** Seeds of every variant: a list, or the first and how many. */
const seedsSchema = z.union([
  distinct(z.array(seed).min(1).max(LIMITS.seedCount)),
  z.strictObject({
    first: seed.default(0).describe('The first seed.'),
    count: z.int().min(1).max(LIMITS.seedCount).default(5).describe('How many; each is one more than the last.'),
  }),
]);

/** What holds for the whole experiment, so that no variant may change it. */
export const headSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the schema; ignored otherwise.'),
  spec_version: z.literal(1).default(1).describe('Version of this format.'),
  name: nameSchema.describe('Name of the experiment: letters, digits, dot, underscore, hyphen.'),
  description: z.string().max(LIMITS.descriptionLength).default('').describe('What it asks, in words.'),
  labels: z
    .record(nameSchema, z.string().max(LIMITS.labelLength))
    .default({})
    .describe('Free labels, to find experiments by.'),
  family: z.string().min(1).describe('The world.'),
  environment: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Which environment of a family that reaches those in Python, e.g. "mpe2.simple_tag_v3" or "CartPole-v1".',
    ),
  learners: distinct(z.array(z.int().min(0).max(1023)).min(1).max(1024))
    .optional()
    .describe('Seats that learn; all of them when left out.'),
  variants: z.record(nameSchema, z.looseObject({})).describe('Settings to compare: what each changes, by name.'),
  specialists: distinct(z.array(z.enum(['each', 'panel'])))
    .default([])
    .describe(
      'Further variants, trained on what is held out from the others: on each test simulator alone, or on a whole test panel.',
    ),
  seeds: seedsSchema.prefault({}).describe('Seeds of every variant: a list, or the first and how many.'),
  execution: executionSchema.prefault({}).describe('How runs are carried out: nothing here can change a result.'),
  output_dir: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe('Folder for results, relative to this file; results/NAME when left out.'),
});

/** One variant merged into the experiment: all that a run of it needs to know. */
export const settingSchema = z.strictObject(settingShape);

/** The envelope of a spec. Keys that a variant may supply are optional here; `settingSchema` asks for them. */
export const experimentSchema = z.strictObject({
  ...headSchema.shape,
  ...settingShape,
  variants: headSchema.shape.variants
    .refine((variants) => {
      const count = Object.keys(variants).length;
      return count >= 1 && count <= LIMITS.variantCount;
    }, `from 1 to ${LIMITS.variantCount} variants`)
    .meta({ minProperties: 1, maxProperties: LIMITS.variantCount }),
  strategy: settingShape.strategy.optional(),
  budget: settingShape.budget.optional(),
});

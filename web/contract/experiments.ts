import { z } from 'zod';
import { RUN_STATES } from '../../schemas/records.ts';

/** How many runs are in each state; states without a run are left out. */
export const stateCountsSchema = z.partialRecord(z.enum(RUN_STATES), z.int());

export const experimentSummarySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  version: z.int(),
  family: z.string(),
  created_at: z.iso.datetime(),
  runs: stateCountsSchema,
});

/** `GET /experiments?limit=&after=&name=`: newest first, page by page. */
export const experimentListSchema = z.strictObject({
  experiments: z.array(experimentSummarySchema),
  /** The value of `after` for the next page; null on the last one. */
  next: z.string().nullable(),
});

export const progressSchema = z.strictObject({
  /** Of all env steps, in [0, 1]. */
  share: z.number(),
  steps_per_second: z.number(),
  /** Null while no speed is known. */
  remaining_s: z.number().nullable(),
});

/** `GET /experiments/{id}` */
export const experimentSchema = experimentSummarySchema.extend({
  description: z.string(),
  labels: z.record(z.string(), z.string()),
  program_version: z.string(),
  result_hash: z.string(),
  forked_from: z.string().nullable(),
  learners: z.array(z.int()),
  panels: z.strictObject({ train: z.array(z.string()), validation: z.array(z.string()), test: z.array(z.string()) }),
  seeds: z.array(z.int()),
  variants: z.array(
    z.strictObject({
      name: z.string(),
      strategy: z.string(),
      algorithm: z.string(),
      env_steps: z.int(),
      rounds: z.int(),
      /** Why the spec has it, where `specialists` asks for it. */
      specialist: z.string().nullable(),
    }),
  ),
  /** What was recorded elsewhere and is in some of its simulators: starts, or partners cloned from it. */
  imports: z.array(
    z.strictObject({
      name: z.string(),
      source: z.string(),
      licence: z.string(),
      /** Whether there were any in it. */
      personal_data: z.enum(['removed', 'none']),
    }),
  ),
  /** Of what was measured: names of columns that can be averaged over seeds. */
  metrics: z.array(z.string()),
  progress: progressSchema,
  /** The resolved document, every default written out. */
  resolved: z.record(z.string(), z.unknown()),
});

export type ExperimentSummary = z.infer<typeof experimentSummarySchema>;
export type ExperimentList = z.infer<typeof experimentListSchema>;
export type Experiment = z.infer<typeof experimentSchema>;

import { z } from 'zod';
import { RUN_STATES } from '../../schemas/records.ts';
import { measureSchema, numberSchema } from './numbers.ts';

export const runSummarySchema = z.strictObject({
  id: z.string(),
  experiment_id: z.string(),
  experiment_name: z.string(),
  variant: z.string(),
  seed: z.int(),
  state: z.enum(RUN_STATES),
  reason: z.string().nullable(),
  rounds_completed: z.int(),
  rounds: z.int(),
  env_steps: z.int(),
  attempts: z.int(),
  /** Of the last checkpoint; null until it is evaluated. */
  heldout_return: measureSchema,
  relative_gap: measureSchema,
  verdict: z.string().nullable(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
});

/** `GET /runs?experiment=&state=&variant=&seed=&sort=&limit=&offset=`: of one experiment, or of all, newest first. */
export const runListSchema = z.strictObject({ total: z.int(), runs: z.array(runSummarySchema) });

/** `GET /runs/{id}` */
export const runSchema = runSummarySchema.extend({
  /** Of a SKIPPED run: the equal one that was finished before. */
  same_as: z.string().nullable(),
  strategy: z.string(),
  algorithm: z.string(),
  memory_limit_mib: z.number(),
  /** Every column of its row in the result table. */
  results: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

const roundSchema = z.strictObject({
  round: z.int(),
  env_steps: z.int(),
  wall_s: z.number(),
  peak_rss_mib: z.number(),
  /** Null without a GPU. */
  peak_gpu_mib: z.number().nullable(),
  /** Share of the round for which each of several samplers waited, the training process first; empty for one. */
  sampler_idle_shares: z.array(z.number()),
  /** Of training, by name: policy entropy, losses, gradient norm and so on. */
  metrics: z.record(z.string(), numberSchema),
  training: z.array(
    z.strictObject({ simulator: z.string(), episodes: z.int(), return_mean: numberSchema, success_rate: numberSchema }),
  ),
  /** Empty where the round was not evaluated. */
  evaluation: z.array(
    z.strictObject({
      panel: z.enum(['train', 'validation', 'test']),
      simulator: z.string(),
      episodes: z.int(),
      return_mean: numberSchema,
      return_std: numberSchema,
      success_rate: numberSchema,
    }),
  ),
});

/** `GET /runs/{id}/rounds` */
export const roundsSchema = z.strictObject({ rounds: z.array(roundSchema) });

/** `GET /runs/{id}/attempts` */
export const attemptsSchema = z.strictObject({
  attempts: z.array(
    z.strictObject({
      number: z.int(),
      kind: z.string(),
      round: z.int(),
      worker: z.string(),
      process_id: z.int().nullable(),
      started_at: z.iso.datetime(),
      ended_at: z.iso.datetime().nullable(),
      /** `done`, `cancelled` or a class of failure; null while it runs. */
      outcome: z.string().nullable(),
      exit: z.string(),
      message: z.string().nullable(),
      log_tail: z.string().nullable(),
      peak_rss_mib: z.number().nullable(),
      memory_limit_mib: z.number().nullable(),
      /** What the next attempt does otherwise. */
      next_change: z.string().nullable(),
    }),
  ),
});

/** `GET /runs/{id}/log?after=`: what happened to it, oldest first. */
export const logSchema = z.strictObject({
  events: z.array(z.strictObject({ id: z.int(), at: z.iso.datetime(), kind: z.string(), message: z.string() })),
});

export type RunSummary = z.infer<typeof runSummarySchema>;
export type RunList = z.infer<typeof runListSchema>;
export type Run = z.infer<typeof runSchema>;
export type Round = z.infer<typeof roundSchema>;
export type Rounds = z.infer<typeof roundsSchema>;
export type Attempts = z.infer<typeof attemptsSchema>;
export type Log = z.infer<typeof logSchema>;

import { z } from 'zod';
import { RUN_STATES } from '../../schemas/records.ts';

/** `GET /server`: what this server is and may do. */
export const serverSchema = z.strictObject({
  version: z.string(),
  /** Whether it takes orders, see `controlSchema`. */
  allows_control: z.boolean(),
});

/** What is new about a run. */
export const changeSchema = z.strictObject({
  experiment_id: z.string(),
  run_id: z.string(),
  state: z.enum(RUN_STATES),
  rounds_completed: z.int(),
  env_steps: z.int(),
});

/**
 * Events `changes` of `GET /changes?experiment=` (server-sent): that something has changed, not what all of it is now. They
 * come at most four times a second, each with the newest of every run that has changed since the one before.
 */
export const changesSchema = z.strictObject({
  changes: z.array(changeSchema),
  /** Experiments of which more may have changed than these runs: too many at once, or runs that are new or deleted. */
  experiments: z.array(z.string()),
  /** Anything may have changed: the server has not heard of changes for a while. */
  everything: z.boolean(),
});

/** `POST /experiments/{id}/{order}` and `POST /runs/{id}/{order}` */
export const ORDERS = ['pause', 'resume', 'cancel', 'kill', 'retry'] as const;
export const orderedSchema = z.strictObject({ message: z.string() });

/** The body of every answer that is not 2xx. */
export const errorSchema = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), remedy: z.string() }),
});

export type Server = z.infer<typeof serverSchema>;
export type Change = z.infer<typeof changeSchema>;
export type Changes = z.infer<typeof changesSchema>;
export type Order = (typeof ORDERS)[number];
export type Ordered = z.infer<typeof orderedSchema>;

import { z } from 'zod';
import { RUN_STATES } from '../../schemas/records.ts';

/** `GET /server`: what this server is and may do. */
export const serverSchema = z.strictObject({
  version: z.string(),
  /** Whether it takes orders, see `controlSchema`. */
  allows_control: z.boolean(),
});

/** Events of `GET /changes` (server-sent): that something about a run has changed, not what all of it is now. */
export const changeSchema = z.strictObject({
  experiment_id: z.string(),
  run_id: z.string(),
  state: z.enum(RUN_STATES),
  rounds_completed: z.int(),
  env_steps: z.int(),
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
export type Order = (typeof ORDERS)[number];
export type Ordered = z.infer<typeof orderedSchema>;

import { z } from 'zod';
import { measureSchema, numberSchema } from './numbers.ts';

/** `GET /runs/{id}/pool`: which simulators a run trained on from which round on. */
export const poolSchema = z.strictObject({
  /** Rounds at which a pool was chosen, ascending, with its members in their order. */
  pools: z.array(
    z.strictObject({
      round: z.int(),
      members: z.array(
        z.strictObject({
          name: z.string(),
          hash: z.string(),
          weight: z.number(),
          parents: z.array(z.string()),
          reason: z.string(),
          failure: z.string().nullable(),
          contribution: measureSchema,
        }),
      ),
    }),
  ),
});

/** `GET /runs/{id}/lineage`: every simulator that a run heard of, in the order in which it did. */
export const lineageSchema = z.strictObject({
  simulators: z.array(
    z.strictObject({
      name: z.string(),
      hash: z.string(),
      parents: z.array(z.string()),
      failure: z.string().nullable(),
      reason: z.string(),
      /** Empty for a candidate that never entered. */
      stays: z.array(z.strictObject({ entered: z.int(), left: z.int().nullable() })),
      exit_reason: z.string().nullable(),
      score: measureSchema,
      refusal: z.string().nullable(),
      contribution: measureSchema,
      episodes: z.int(),
      first_return: measureSchema,
      last_return: measureSchema,
    }),
  ),
});

export const failureSchema = z.strictObject({
  /** The key of its replay: `RUN:ROUND:INDEX`. */
  id: z.string(),
  run_id: z.string(),
  variant: z.string(),
  seed: z.int(),
  round: z.int(),
  simulator: z.string(),
  return: numberSchema,
  chance_return: numberSchema,
  known_return: numberSchema,
  known_by: z.string(),
  /** 0 as chance, 1 as the best known policy. */
  score: numberSchema,
  key_moment: z.int(),
  steps: z.int(),
  group: z.int(),
  is_medoid: z.boolean(),
  /** Simulators that were made from it, and how many of them entered a pool. */
  made: z.int(),
  entered: z.int(),
});

/** `GET /experiments/{id}/failures?run=&limit=&offset=`: the worst first. */
export const failureListSchema = z.strictObject({ total: z.int(), failures: z.array(failureSchema) });

/** A body in the plane, in the units of the world. */
const bodySchema = z.strictObject({
  label: z.string(),
  kind: z.string(),
  x: z.number(),
  y: z.number(),
  radius: z.number(),
  /** A colour of CSS. */
  color: z.string(),
});

/** `GET /failures/{id}/replay`: the episode step by step, to be drawn. */
export const replaySchema = z.strictObject({
  failure: failureSchema,
  /** What is to be seen at all steps: [x min, y min, x max, y max]. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  frames: z.array(
    z.strictObject({
      step: z.int(),
      bodies: z.array(bodySchema),
      /** Of this step, by seat in order; empty at the start. */
      rewards: z.array(numberSchema),
      actions: z.array(z.int()),
      /** Of the critic; null where it was not asked. */
      value: measureSchema,
    }),
  ),
});

export type Pool = z.infer<typeof poolSchema>;
export type Lineage = z.infer<typeof lineageSchema>;
export type Failure = z.infer<typeof failureSchema>;
export type FailureList = z.infer<typeof failureListSchema>;
export type Replay = z.infer<typeof replaySchema>;

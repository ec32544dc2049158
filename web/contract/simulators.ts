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
  /** As every verb takes it, and the key of its replay: `RUN:ROUND.K`, K from 1. */
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
  /** The step after which what the critic expects fell most; 0 without a critic. */
  key_moment: z.int(),
  /** Whether a critic said what it expected. */
  has_critic: z.boolean(),
  steps: z.int(),
  group: z.int(),
  is_medoid: z.boolean(),
  /** Simulators that were made from it, and how many of them entered a pool. */
  made: z.int(),
  entered: z.int(),
});

/** `GET /experiments/{id}/failures?run=&variant=&seed=&group=&limit=&offset=`: the worst first, by score. */
export const failureListSchema = z.strictObject({ total: z.int(), failures: z.array(failureSchema) });

/** A thing of the world through an episode. Its looks are chosen by what it stands for. */
const bodySchema = z.strictObject({
  id: z.string(),
  /** Ground, a line that divides it, what is sought, what is in the way, how far a seat sees, who holds a seat, a number carried. */
  role: z.enum(['ground', 'grid', 'target', 'obstacle', 'sight', 'seat', 'badge']),
  kind: z.enum(['circle', 'rectangle', 'line']),
  /** In the units of the world; of a circle its diameter. */
  width: z.number(),
  height: z.number(),
  /** The seat that it belongs to. */
  seat: z.int().nullable(),
  label: z.string().nullable(),
  /** Its middle in every frame, y upwards, null where it is not there; a single one for what stays where it is. */
  places: z.array(z.tuple([z.number(), z.number()]).nullable()),
});

/** `GET /failures/{id}/replay`: the episode step by step, to be drawn, played again from what is stored. */
export const replaySchema = z.strictObject({
  failure: failureSchema,
  family: z.string(),
  /** How to read the picture. */
  caption: z.string(),
  /** What the last frame says. */
  ending: z.string(),
  /** Whether the return is the sum over all seats; otherwise it is the mean over the learners present. */
  cooperative: z.boolean(),
  /** By seat: its role and whoever acted there. */
  seats: z.array(z.strictObject({ role: z.string(), driver: z.string(), is_scripted: z.boolean() })),
  /** What each action does, by its number; where actions are boxes, each of their numbers. */
  action_names: z.array(z.string()),
  /** What is to be seen at all steps; y upwards. */
  view: z.strictObject({ left: z.number(), bottom: z.number(), width: z.number(), height: z.number() }),
  /** From the back to the front. */
  bodies: z.array(bodySchema),
  /** The start, and what came of each step. The failure's key moment is the step that begins in the frame of its number. */
  frames: z.array(
    z.strictObject({
      step: z.int(),
      /** Of the step that led here, by seat in order; empty at the start. */
      rewards: z.array(numberSchema),
      /** By seat in order; of a box its numbers. */
      actions: z.array(z.union([z.int(), z.array(z.number())])),
      /** What the critic expects from here on, mean over the learners present. */
      value: measureSchema,
    }),
  ),
});

export type Pool = z.infer<typeof poolSchema>;
export type Lineage = z.infer<typeof lineageSchema>;
export type Failure = z.infer<typeof failureSchema>;
export type FailureList = z.infer<typeof failureListSchema>;
export type ReplayBody = z.infer<typeof bodySchema>;
export type Replay = z.infer<typeof replaySchema>;

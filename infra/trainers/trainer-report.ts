import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';

const SHOWN_LENGTH = 200;
const METRICS_MAX = 200;

/** JSON has no NaN and no infinities; they are written as words. */
const number = z.union([
  z.number(),
  z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number),
  z.null().transform(() => NaN),
]);

/** A line that a trainer writes while it trains. */
const eventSchema = z.strictObject({
  env_steps: z.int().min(0).optional(),
  metrics: z
    .record(z.string().regex(/^[A-Za-z][\w.-]{0,63}$/), number)
    .refine((metrics) => Object.keys(metrics).length <= METRICS_MAX, `at most ${METRICS_MAX} metrics`)
    .optional(),
  episode: z
    .strictObject({
      simulator: z.string(),
      return: number,
      length: z.int().min(1),
      success: z.boolean().default(false),
    })
    .optional(),
});

/** What it says at the end, in `result.json`. */
const resultSchema = z.union([
  z.strictObject({
    policies: z.record(z.string(), z.string()),
    checkpoint: z.string().default('checkpoint'),
    env_steps: z.int().min(0).default(0),
  }),
  z.strictObject({
    diverged: z.strictObject({ what: z.string().min(1).max(SHOWN_LENGTH), optimizer_step: z.int().min(0).default(0) }),
  }),
]);

export type TrainerEvent = z.output<typeof eventSchema>;
export type TrainerResult = z.output<typeof resultSchema>;

/** @throws REQUEST_BAD_ARGUMENT when it is no event */
export function eventFromText(text: string, line: number): TrainerEvent {
  return read(eventSchema, text, `line ${line} of events.jsonl`, '{"env_steps": 128, "metrics": {"loss": 0.5}}');
}

/** @throws REQUEST_BAD_ARGUMENT when it is no result */
export function resultFromText(text: string): TrainerResult {
  return read(resultSchema, text, 'result.json', '{"policies": {"agent": "policy.onnx"}, "checkpoint": "checkpoint"}');
}

function read<T>(schema: z.ZodType<T>, text: string, place: string, example: string): T {
  const refused = (why: string): ThawError => {
    const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
    const message = `the trainer's ${place} is ${JSON.stringify(shown)}: ${why}; expected e.g. ${example}`;
    return new ThawError('REQUEST_BAD_ARGUMENT', message, {
      remedy:
        'Correct the program; docs/guides/own-trainer.md lists what it may write. Then submit the experiment again.',
    });
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused((error as Error).message);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refused(parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '));
}

import { z } from 'zod';
import { durationSchema } from './duration.ts';
import { LIMITS } from './experiment-limits.ts';
import { mirrorUrlSchema, webhookUrlSchema } from './webhook-url.ts';

const retries = (count: number, description: string) =>
  z.int().min(0).max(LIMITS.retries).default(count).describe(description);

const timeoutsSchema = z.strictObject({
  round: durationSchema.default('10m').describe('Longest time of one attempt at a round, e.g. "10m".'),
  run: durationSchema.default('6h').describe('Longest time of a whole run.'),
  stall: durationSchema.default('2m').describe('Longest time without progress.'),
});

const retriesSchema = z.strictObject({
  error: retries(2, 'After an error of the training code.'),
  lost: retries(5, 'After the loss of a worker or a process.'),
  out_of_memory: retries(3, 'After running out of memory.'),
  timeout: retries(1, 'After a timeout.'),
  stalled: retries(1, 'After a stall.'),
});

const notifySchema = z.strictObject({
  url: webhookUrlSchema.describe('Where JSON is posted to, e.g. "https://example.org/hook".'),
  on: z
    .enum(['end', 'failure'])
    .default('end')
    .describe('end: whenever all runs are over; failure: only when some run did not succeed.'),
});

const mirrorSchema = z.strictObject({
  kind: z.enum(['mlflow']).describe('mlflow: a tracking server of MLflow.'),
  url: mirrorUrlSchema.describe('Where it is, e.g. "http://localhost:5000".'),
  experiment: z
    .string()
    .min(1)
    .max(LIMITS.labelLength)
    .optional()
    .describe("Name of the experiment there; this experiment's own by default."),
});

/** How runs are carried out: nothing here can change a result. */
export const executionSchema = z.strictObject({
  device: z.enum(['cpu', 'cuda']).default('cpu').describe('Where networks are computed.'),
  max_concurrent_runs: z.int().min(1).max(LIMITS.concurrentRuns).default(2).describe('Runs at the same time.'),
  sampler_processes: z
    .union([z.int().min(1).max(LIMITS.samplerProcesses), z.literal('auto')])
    .default(1)
    .describe(
      'Threads of a training process that share its episodes; results do not depend on it. auto: as many as pay.',
    ),
  memory_mib: z
    .int()
    .min(256)
    .max(LIMITS.memoryMib)
    .default(2048)
    .describe('Largest resident memory of one training process, in MiB.'),
  priority: z.int().min(1).max(5).default(3).describe('1 is the most urgent, 5 the least.'),
  on_failure: z
    .enum(['continue', 'stop'])
    .default('continue')
    .describe('stop: once a run has failed for good, no further run is started.'),
  require_fingerprint: z
    .boolean()
    .default(false)
    .describe('Refuse to go on with a run on a machine whose arithmetic may differ in the last bit.'),
  notify: notifySchema
    .optional()
    .describe('Who is told when all runs of the experiment are over; nobody by default. See docs/guides/watching.md.'),
  mirrors: z
    .array(mirrorSchema)
    .max(LIMITS.mirrors)
    .optional()
    .describe('Trackers that are told of every round as it is completed. See docs/guides/trackers.md.'),
  timeouts: timeoutsSchema.prefault({}).describe('Durations such as "90s", "10m", "6h".'),
  retries: retriesSchema.prefault({}).describe('Attempts after the first, for each round.'),
});

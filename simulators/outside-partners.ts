import { z } from 'zod';

/**
 * Partners that act from outside of the batch, so that every family accepts them alike: the learner's current policy, and
 * a policy that was exported or imported before. A policy is named by the SHA-256 of its ONNX file; the command line puts that
 * in the place of `file`, whose content it stores, and of `name`.
 */
export const OUTSIDE_PARTNERS = [
  z.strictObject({ kind: z.literal('self') }).describe('The current policy, without gradient.'),
  z
    .strictObject({
      kind: z.literal('policy'),
      file: z.string().min(1).optional().describe('ONNX file, relative to the spec; or give `artifact`.'),
      name: z.string().optional().describe('An import, `import:NAME/SEAT`, in place of `file` and `artifact`.'),
      artifact: z
        .string()
        .regex(/^[0-9a-f]{64}$/, { error: 'Expected the SHA-256 of an ONNX file, 64 hexadecimal digits' })
        .optional()
        .describe('SHA-256 of an ONNX file that is stored already; or give `file`.'),
      mode: z.enum(['sampled', 'deterministic']).default('sampled').describe('How its action is taken.'),
      epsilon: z.number().min(0).max(1).default(0).describe('Probability of a random action instead.'),
    })
    .refine(({ artifact }) => artifact !== undefined, {
      path: ['artifact'],
      error: ({ input }) =>
        (input as { name?: string } | undefined)?.name === undefined
          ? 'Expected the policy, by `file` (an ONNX file), `name` (import:NAME/SEAT) or `artifact` (its SHA-256)'
          : 'A `name` is import:NAME/SEAT and stands in the file, not in --set; there give the `artifact`, see `thaw import show NAME -o json`',
    })
    .describe('A policy that was exported before.'),
] as const;

/** Output of the schema of a policy partner. */
export interface PolicyPartner {
  readonly kind: 'policy';
  readonly artifact: string;
  readonly mode: 'sampled' | 'deterministic';
  readonly epsilon: number;
}

import { z } from 'zod';
import type { World } from '../../../simulators/contract.ts';

export interface TransferSettings {
  /** Role → the policy whose weights its network starts with. */
  readonly policies: Readonly<Record<string, { readonly artifact?: string | undefined } | undefined>>;
  readonly freeze: readonly string[];
}

/** What networks start from in place of chance. @param world its roles may be given a policy each */
export function transferSettings(world: World) {
  const roles = [...new Set(world.groups.map(({ role }) => role))];
  const policies = z
    .strictObject(Object.fromEntries(roles.map((role) => [role, storedPolicy.optional()])))
    .refine((given) => Object.values(given).some((policy) => policy !== undefined), {
      error: `Expected the policy of at least one role: ${roles.join(', ')}`,
    })
    .describe('Role → policy that was exported before; its weights are taken where names and shapes agree.');
  const freeze = z
    .array(z.string().min(1))
    .max(100)
    .default([])
    .describe('Layers that stay as the policy gives them, e.g. "actor.0".');
  return {
    transfer: z
      .strictObject({ policies, freeze })
      .nullable()
      .default(null)
      .describe('Weights to start from; null: random ones.'),
  };
}

const storedPolicy = z
  .strictObject({
    file: z.string().min(1).optional().describe('ONNX file, relative to the spec; or give `artifact`.'),
    artifact: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'Expected the SHA-256 of an ONNX file, 64 hexadecimal digits' })
      .optional()
      .describe('SHA-256 of an ONNX file that is stored already; or give `file`.'),
  })
  .refine(({ artifact }) => artifact !== undefined, {
    path: ['artifact'],
    error: 'Expected the policy, by `file` (an ONNX file) or by `artifact` (its SHA-256)',
  })
  .describe('A policy that was exported before.');

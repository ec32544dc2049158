import { z } from 'zod';
import { trainerSettings } from '../../schemas/trainer.ts';
import type { Algorithm, AlgorithmParameters } from '../algorithms/contract.ts';
import { ForeignLearner } from './foreign-learner.ts';

/** Name by which resolved variants call a trainer of the kind `command`. */
export const COMMAND = 'command';

/** A program of somebody else that trains, as a resolved variant names it. */
export interface CommandParameters extends AlgorithmParameters {
  readonly name: typeof COMMAND;
  readonly command: readonly string[];
  /** Path → SHA-256 of the content. */
  readonly files: Readonly<Record<string, string>>;
  /** For the program alone. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Env steps are given out one by one: what a block of experience is, such a program decides for itself. */
const ONE = z.literal(1).default(1).describe('Always 1: the program divides its env steps as it likes.');

function parametersSchema(): z.ZodType<CommandParameters> {
  return z.strictObject({
    name: z.literal(COMMAND),
    ...trainerSettings,
    parallel_environments: ONE,
    rollout_steps: ONE,
  });
}

/** Training by a program of the user, see `trainer` of a spec. What it leaves behind is evaluated as any policy. */
export const commandTrainer: Algorithm = {
  name: COMMAND,
  aliases: [],
  summary: 'a program of yours trains; written as `trainer`',
  parametersSchema,
  // Nothing of its arithmetic is ours to divide.
  gradientRows: () => ({ minibatchRows: 1, grainRows: 1, chunkRows: 1 }),
  createLearner: async (setup) => new ForeignLearner(setup),
};

/** Whether a variant is trained by somebody else's program. */
export function isCommand(algorithm: { readonly name: string }): boolean {
  return algorithm.name === COMMAND;
}

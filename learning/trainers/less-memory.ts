import { isCommand } from './command.ts';

/** What is computed here, and what a user can turn of it. */
const OURS =
  'lower algorithm.minibatch_size, algorithm.parallel_environments or, where there are several, execution.sampler_processes';
/** Of a program of somebody else nothing is known but that it is told its settings. */
const OF_A_PROGRAM =
  'let the program of the trainer hold less, e.g. fewer environments at once, a smaller batch or a smaller buffer (trainer.settings)';

/** What would take less memory in a variant, as the end of "raise the limit, or …". */
export function lessMemoryOf(algorithm: { readonly name: string }): string {
  return isCommand(algorithm) ? OF_A_PROGRAM : OURS;
}

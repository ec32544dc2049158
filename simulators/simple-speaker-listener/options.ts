import { z } from 'zod';

/** `family_options` of simple_speaker_listener. */
export const optionsSchema = z.strictObject({
  continuous_actions: z
    .literal(false, {
      error:
        'Expected false: in MPE2 the box of the speaker has 3 numbers and that of the listener 5, and here all seats of a ' +
        'world have actions of one size',
    })
    .default(false)
    .describe('Always false: boxes of MPE2 differ in size between the two roles, which a world here cannot have.'),
  episode_steps: z.int().min(1).max(1000).default(25).describe('Length of every episode, in steps.'),
});

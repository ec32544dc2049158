import { z } from 'zod';

/** `family_options` of simple_speaker_listener. */
export const optionsSchema = z.strictObject({
  continuous_actions: z
    .boolean()
    .default(false)
    .superRefine((isContinuous, context) => {
      if (!isContinuous) return;
      context.addIssue({
        code: 'custom',
        message:
          'false: in MPE2 the box of the speaker has 3 numbers and that of the listener 5, and here all seats of a world ' +
          'have actions of one size',
        params: { remedy: 'Leave it out: the speaker chooses one of 3 words, the listener one of 5 moves.' },
      });
    })
    .describe('Only false: boxes of MPE2 differ in size between the two roles, which a world here cannot have.'),
  episode_steps: z.int().min(1).max(1000).default(25).describe('Length of every episode, in steps.'),
});

import { z } from 'zod';
import { complaintsAbout, SIDE_MAX } from './layout-drawing.ts';
import { DRAWINGS } from './layouts/index.ts';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;
/** Most drawings of a spec: way tables of all are kept at once. */
const GIVEN_MAX = 64;

const drawingSchema = z
  .array(z.string())
  .max(SIDE_MAX)
  .superRefine((rows, context) => {
    for (const { row, message } of complaintsAbout(rows)) {
      context.addIssue({ code: 'custom', path: row === null ? [] : [row], message });
    }
  })
  .describe(
    'Rows of a drawing, from the top: " " floor, X counter, O onions, T tomatoes, D dishes, P pot, S serving, 1 and 2 the cooks.',
  );

/**
 * `family_options` of kitchen. Layouts are drawings; a simulator names one of them, by its name or its place in the list
 * of the built-in ones and, after them, those given here.
 */
export const optionsSchema = z
  .strictObject({
    layout: z.string().default('cramped_room').describe('The layout of simulators that name none.'),
    layouts: z
      .record(z.string().regex(NAME, { error: 'Expected lower-case letters, digits and _' }), drawingSchema)
      .default({})
      .describe('Drawings of your own, by the names that simulators use.'),
    episode_steps: z.int().min(1).max(2000).default(400).describe('Length of an episode, in steps.'),
  })
  .superRefine(({ layout, layouts }, context) => {
    const complain = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const name of Object.keys(layouts)) {
      if (Object.hasOwn(DRAWINGS, name)) complain(['layouts', name], 'A built-in layout has this name; choose another');
    }
    if (Object.keys(layouts).length > GIVEN_MAX) complain(['layouts'], `Expected at most ${GIVEN_MAX} drawings`);
    const names = [...Object.keys(DRAWINGS), ...Object.keys(layouts)];
    if (!names.includes(layout)) complain(['layout'], `There is no layout "${layout}"; there are ${names.join(', ')}`);
  });

/** Output of `optionsSchema`. */
export type Options = z.output<typeof optionsSchema>;

import { z } from 'zod';

const ARGUMENTS_MAX = 256;
const ARGUMENT_LENGTH_MAX = 4096;
const FILES_MAX = 1000;

/** Within a folder: no way out of it, and the same on every machine. */
const relativePath = z
  .string()
  .max(512)
  .regex(/^(?!\/)(?!.*(^|\/)\.{1,2}(\/|$))[^\\\u0000-\u001f]*[^\\\u0000-\u001f/]$/)
  .meta({ title: 'a path relative to the spec file, with "/" and without ".."' });

const hashedFiles = z.record(relativePath, z.string().regex(/^[0-9a-f]{64}$/));

const command = z
  .array(z.string().min(1).max(ARGUMENT_LENGTH_MAX))
  .min(1)
  .max(ARGUMENTS_MAX)
  .describe('The program and its arguments. It runs in a folder of its own that holds `files`.');

const settings = z
  .looseObject({})
  .default({})
  .describe('Handed to the program as they are: learning rates, sizes, whatever it reads.');

/** What a trainer is when its files are told by what is in them. */
export const trainerSettings = {
  command,
  files: hashedFiles.default({}).describe('Path → SHA-256 of the content: the files of the program.'),
  settings,
};

/** The `trainer` of a spec as people write it. */
export const trainerSchema = z.strictObject({
  kind: z.literal('command').describe('A program of yours that is started for every round.'),
  command,
  files: z
    .union([z.array(relativePath).max(FILES_MAX), hashedFiles])
    .optional()
    .describe(
      'Files that the program needs, relative to this file; arguments that are such files when left out. What is in them is ' +
        'part of the experiment: an edited one is another.',
    ),
  settings,
});

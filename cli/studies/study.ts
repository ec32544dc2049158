import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import {
  readCurve,
  readResults,
  readSensitivities,
  readSimulatorReturns,
  type StudyCurve,
  type StudyRow,
  type StudySensitivity,
  type StudySimulatorReturn,
} from './read-results.ts';

const name = z.string().regex(/^[a-z0-9-]+$/);

const partSchema = z.strictObject({
  experiment: name.describe('File in `experiments/`, and name of the data.'),
  title: z.string(),
  baseline: z.string().describe('The variant that others are compared with.'),
  against: z.array(z.string()).default([]).describe('Variants that the tails of others are compared with, besides it.'),
  curve: z.boolean().default(false).describe('Whether the evaluated rounds are kept as well.'),
  sensitivity: z.boolean().default(false).describe('Whether what the last policies depend on is kept as well.'),
  simulators: z.boolean().default(false).describe('Whether what runs got on each test simulator is kept as well.'),
  leaderboard: z.boolean().default(false).describe('Whether its variants are baselines of `thaw leaderboard`.'),
});

const studySchema = z.strictObject({
  name: name.describe('Name of the page.'),
  title: z.string(),
  question: z.string(),
  parts: z.array(partSchema).min(1),
});

/** What `docs/studies/studies.json` says of a study. */
export type Study = z.infer<typeof studySchema>;

/** One experiment of a study, with what it measured; null until it has been run. */
export interface StudyPart extends z.infer<typeof partSchema> {
  readonly rows: readonly StudyRow[] | null;
  readonly curvePoints: readonly StudyCurve[] | null;
  readonly sensitivities: readonly StudySensitivity[] | null;
  readonly simulatorReturns: readonly StudySimulatorReturn[] | null;
}

/** The studies that the folder's `studies.json` lists, in its order. */
export function readStudies(folder: string): Study[] {
  return z.array(studySchema).parse(JSON.parse(readFileSync(path.join(folder, 'studies.json'), 'utf8')));
}

/**
 * The parts of a study with their data: `data/EXPERIMENT.json`, and where they are kept `data/EXPERIMENT.curve.json`,
 * `data/EXPERIMENT.sensitivity.json` and `data/EXPERIMENT.simulators.csv`.
 */
export function readParts(folder: string, { parts }: Study): StudyPart[] {
  return parts.map((part) => {
    const data = <Value>(isKept: boolean, ending: string, read: (text: string) => Value): Value | null => {
      const text = isKept ? textAt(path.join(folder, `data/${part.experiment}${ending}`)) : null;
      return text === null ? null : read(text);
    };
    return {
      ...part,
      rows: data(true, '.json', readResults),
      curvePoints: data(part.curve, '.curve.json', readCurve),
      sensitivities: data(part.sensitivity, '.sensitivity.json', readSensitivities),
      simulatorReturns: data(part.simulators, '.simulators.csv', readSimulatorReturns),
    };
  });
}

/** Null where there is no such file. */
function textAt(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

import path from 'node:path';
import { writeWhole } from '../../infra/artifacts/write-whole.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { csvText } from '../table-formats/listing.ts';
import {
  EPISODE_COLUMNS,
  episodeResults,
  SENSITIVITY_COLUMNS,
  SIMULATOR_COLUMNS,
  simulatorResults,
} from './evaluation-columns.ts';
import { evaluationDocument } from './evaluation-document.ts';
import type { Evaluated } from './evaluate-policies.ts';

/**
 * Writes what was found into a folder, each file whole or not at all: `results.json` all of it, `results.csv` by simulator,
 * `episodes.csv` by episode, `sensitivity.csv` by what was changed.
 * @throws WORLD_DISK
 */
export async function writeEvaluation(folder: string, evaluated: Evaluated): Promise<void> {
  const files = {
    'results.json': `${jsonText(evaluationDocument(evaluated), 2)}\n`,
    'results.csv': csvText(SIMULATOR_COLUMNS, simulatorResults(evaluated)),
    'episodes.csv': csvText(EPISODE_COLUMNS, episodeResults(evaluated)),
    'sensitivity.csv': csvText(SENSITIVITY_COLUMNS, evaluated.sensitivities),
  };
  for (const [name, text] of Object.entries(files)) await writeWhole(path.join(folder, name), Buffer.from(text));
}

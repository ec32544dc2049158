import { readFileSync } from 'node:fs';
import path from 'node:path';
import { leaderboard, type Board, type BoardKey, type LeaderboardRun } from '../../learning/results/leaderboard.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { parseDocument } from '../../specification/parse-document.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { resolveExperiment } from '../../specification/resolve.ts';
import { testPanelHash } from '../../specification/test-panel.ts';
import type { StudyRow } from './read-results.ts';
import { readParts, readStudies, type StudyPart } from './study.ts';

/** The boards that the studies make whose parts say so, all families. */
export function baselineBoards(studyFolder: string, experimentFolder: string): Board[] {
  const parts = readStudies(studyFolder).flatMap((study) => readParts(studyFolder, study));
  const runs = parts
    .filter(({ leaderboard: isBaseline }) => isBaseline)
    .flatMap((part) => runsOf(part, experimentFolder));
  return leaderboard(runs);
}

/** The runs of a study's part, with what its experiment says of them. */
function runsOf({ experiment, rows }: StudyPart, experimentFolder: string): LeaderboardRun[] {
  if (rows === null) return [];
  const { variants, variant_hashes: hashes } = readExperiment(path.join(experimentFolder, `${experiment}.json`));
  return [...groupRows(rows, ({ row }) => row.variant)].flatMap(([variant, group]) => {
    const setting = variants[variant];
    if (setting === undefined) throw outdated(experiment, variant);
    const panelHash = testPanelHash(setting);
    if (panelHash === null) return [];
    const common = {
      family: setting.family,
      familyVersion: setting.family_version,
      panelHash,
      panelSize: setting.panels.test.length,
      learners: setting.learners,
      name: `${experiment}/${variant}`,
      variantHash: hashes[variant]!,
    };
    return group.flatMap((run) => scoredRun(common, run));
  });
}

function scoredRun(
  common: Pick<LeaderboardRun, keyof BoardKey | 'name' | 'variantHash'>,
  { row, cells }: StudyRow,
): LeaderboardRun[] {
  if (row.last === null) return [];
  const { heldoutReturn, worstHeldout, trainGain, heldoutGain, relativeGap } = row.last;
  const envSteps = (cells['total_env_steps'] ?? null) as number | null;
  return [{ ...common, seed: row.seed, heldoutReturn, worstHeldout, trainGain, heldoutGain, relativeGap, envSteps }];
}

function readExperiment(file: string): ResolvedExperiment {
  const parsed = parseDocument(readFileSync(file, 'utf8'));
  if (!parsed.ok) throw new ThawError('REQUEST_INVALID_SPEC', `${file} is not a spec.`);
  const resolution = resolveExperiment(parsed.document, {
    fileName: path.basename(file, '.json'),
    registries: DEFAULT_REGISTRIES,
    // It has been run: whether its panels are far enough from each other was judged then.
    acceptsCloseSimulators: true,
  });
  if (!resolution.ok) throw new ThawError('REQUEST_INVALID_SPEC', `${file} is not valid.`);
  return resolution.experiment;
}

function outdated(experiment: string, variant: string): ThawError {
  return new ThawError(
    'REQUEST_INVALID_SPEC',
    `The data of ${experiment} have a variant ${variant}, which it has not.`,
    {
      remedy: 'Run the study again, and keep what `thaw results` prints.',
    },
  );
}

import { stateCounts } from '../../learning/results/state-counts.ts';
import path from 'node:path';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { findExperiment, insertExperiment, insertExperiments } from '../../infra/postgres/experiment-rows.ts';
import type { ExperimentRecord, Inserted, NewExperiment } from '../../infra/postgres/experiment-rows.ts';
import { updateExperiment, type ExperimentUpdate } from '../../infra/postgres/experiment-update.ts';
import type { Fork } from '../../infra/postgres/fork-rows.ts';
import { listRuns, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { experimentHash, experimentId, type Origin } from '../../specification/experiment-identity.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { mapAtMost } from '../at-most.ts';
import { importableHashes } from '../imports/importable-hashes.ts';
import { withSeeds } from './changed-spec.ts';
import { nextSteps } from '../watching/next-steps.ts';
import { programVersion } from '../program-version.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { countsText, isAtRest } from '../runs/run-counts.ts';
import type { ServiceSession } from '../services/service-session.ts';
import type { ValidSpec } from '../specs/spec-files.ts';
import { submissionChanges } from './submission-changes.ts';
import { note } from '../terminal/terminal.ts';
import { readValidSpecs, tellProblems } from '../specs/validate-files.ts';

/** An experiment that a file became. */
export interface Submission {
  readonly experiment: ExperimentRecord;
  readonly runs: readonly RunStatus[];
  /** False when the very same experiment was there already. */
  readonly isNew: boolean;
  /** Where its results belong. */
  readonly outputFolder: string;
}

/**
 * Experiments of files that can all be started here; null, after telling why, when one cannot. Nothing is started or
 * written.
 */
export async function readStartableSpecs(
  files: readonly string[],
  overrides: readonly string[],
): Promise<readonly ValidSpec[] | null> {
  const specs = await readValidSpecs(files, overrides);
  const refused = specs?.filter(({ unavailable }) => unavailable.length > 0) ?? [];
  refused.forEach(tellProblems);
  return refused.length > 0 ? null : specs;
}

/** What of a file is stored. */
export interface SubmittableSpec extends Pick<ValidSpec, 'file' | 'document' | 'experiment' | 'policies'> {
  /** Where its runs go on from; absent where they begin by themselves. */
  readonly fork?: { readonly rows: Fork; readonly origins: readonly Origin[] };
}

/** Workflows that are started at the same time. */
const STARTS_MAX = 16;

/**
 * Stores experiments and starts what is not finished of them. Doing it twice is doing it once.
 * @param options.isAtomic whether either all are stored or none
 */
export async function submitSpecs(
  session: ServiceSession,
  specs: readonly SubmittableSpec[],
  { isAtomic = false }: { isAtomic?: boolean } = {},
): Promise<Submission[]> {
  const { database, configuration } = session;
  // Before the rows: a run must find the policies of its partners.
  const artifacts = createFolderStore(configuration.artifacts);
  for (const { policies } of specs) for (const bytes of policies.values()) await artifacts.write(bytes);
  const rows = specs.map(newExperiment);
  const inserted = isAtomic ? await insertExperiments(database, rows) : await insertInTurn(database, rows);
  return mapAtMost(STARTS_MAX, rows, async (row, index): Promise<Submission> => {
    const { id, created } = inserted[index]!;
    if (!created) await takeChanges(database, { ...row, id });
    const experiment = await findExperiment(database, id);
    return {
      experiment,
      runs: await startOpenRuns(session, experiment),
      isNew: created,
      outputFolder: path.resolve(path.dirname(row.sourceFile), row.resolved.output_dir),
    };
  });
}

function newExperiment({ file, document, experiment, fork }: SubmittableSpec): NewExperiment {
  const identityHash = experimentHash(experiment, fork?.origins);
  return {
    id: experimentId(experiment.name, identityHash),
    identityHash,
    document,
    resolved: experiment,
    panelSimulators: panelSimulatorsByVariant(experiment.variants, DEFAULT_REGISTRIES),
    importableHashes: importableHashes(
      Object.values(experiment.variants).flatMap(({ simulators }) => Object.values(simulators)),
    ),
    sourceFile: path.resolve(file),
    programVersion: programVersion(),
    ...(fork !== undefined && { fork: fork.rows }),
  };
}

/** One after the other: versions of a name, and what is newest, follow the order of the files. */
async function insertInTurn(database: Database, rows: readonly NewExperiment[]): Promise<Inserted[]> {
  const inserted: Inserted[] = [];
  for (const row of rows) inserted.push(await insertExperiment(database, row));
  return inserted;
}

/** Makes sure that a workflow takes care of the runs that are not over. @returns all runs, as they were before */
export async function startOpenRuns(
  { database, orchestrator }: ServiceSession,
  experiment: ExperimentRecord,
): Promise<readonly RunStatus[]> {
  const runs = await listRuns(database, experiment.id);
  if (!isAtRest(runs)) await orchestrator.startExperiment(experiment);
  return runs;
}

/**
 * Takes over what the file says otherwise than before, and tells it; a result cannot depend on any of it. Seeds that the
 * experiment has got since stay.
 */
async function takeChanges(
  database: Database,
  { id, document, resolved, sourceFile }: Omit<ExperimentUpdate, 'changes' | 'growth'>,
): Promise<void> {
  const stored = (await findExperiment(database, id)).resolved;
  const changes = submissionChanges(stored, resolved).join(', ');
  if (changes === '') return;
  const { seeds } = stored;
  const written = { document: withSeeds(document, seeds), resolved: { ...resolved, seeds } };
  await updateExperiment(database, { id, sourceFile, changes, ...written });
  note(`${id}: changed ${changes}; attempts that begin from now on go by it.`);
}

/** What became of a file in a line, and what can be done about runs that did not succeed before. */
export function submissionText({ experiment, runs, isNew }: Submission): string {
  const { id, name, version } = experiment;
  const counts = countsText(stateCounts(runs));
  if (!isNew) {
    return `${id}  the same experiment as before (version ${version} of ${name}): ${counts}${nextSteps(id, runs)}`;
  }
  const edited = version === 1 ? '' : ', an edited file under a name in use';
  return `${id}  version ${version} of ${name}${edited}: ${pluralText(runs.length, 'run')}, ${counts}`;
}

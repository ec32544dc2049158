import path from 'node:path';
import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { differences, differenceText } from '../../specification/differences.ts';
import { experimentHash, experimentId } from '../../specification/experiment-identity.ts';
import { formatProblems } from '../../specification/format-problems.ts';
import { changedSpec, type ChangedSpec } from '../submission/changed-spec.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { findWholeExperiment } from '../runs/find-target.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { limitedLines } from '../terminal/limited-lines.ts';
import { planFork, type ForkPlan } from './plan-fork.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { withDatabase, withServices, type ServiceSession } from '../services/service-session.ts';
import { submissionText, submitSpecs, type Submission, type SubmittableSpec } from '../submission/submission.ts';
import { submissionChanges, variantDifferences } from '../submission/submission-changes.ts';
import { note, print } from '../terminal/terminal.ts';

interface ForkRequest {
  readonly overrides: readonly string[];
  /** Completed rounds to take over; null to begin at the beginning. */
  readonly fromRound: number | null;
  readonly name?: string | undefined;
}

/** An experiment that would be made out of another. */
interface PlannedFork {
  readonly parent: ExperimentRecord;
  readonly spec: SubmittableSpec & { readonly fork: NonNullable<SubmittableSpec['fork']> };
  /** Each as `place old → new`. */
  readonly changes: readonly string[];
  readonly notes: readonly string[];
}

/** Makes a new experiment out of one that is stored, and starts it; or only tells what it would be. */
export async function forkById(
  id: string,
  { isDryRun, output, ...request }: ForkRequest & { isDryRun: boolean; output: 'table' | 'json' },
): Promise<ExitCode> {
  if (isDryRun) {
    const planned = await withDatabase((database) => planOf(database, id, request));
    print(output === 'json' ? jsonText(documentOf(planned), 2) : plannedText(planned));
    return EXIT.done;
  }
  return withServices(async (session) => {
    const { planned, submission } = await fork(session, id, request);
    for (const text of planned.notes) note(text);
    print(output === 'json' ? jsonText(documentOf(planned), 2) : forkedText(planned, submission));
    return EXIT.done;
  });
}

/** Stores a fork and starts it; the same again is found. */
export async function fork(
  session: ServiceSession,
  id: string,
  request: ForkRequest,
): Promise<{ planned: PlannedFork; submission: Submission }> {
  const planned = await planOf(session.database, id, request);
  const [submission] = await submitSpecs(session, [planned.spec]);
  return { planned, submission: submission! };
}

async function planOf(database: Database, id: string, request: ForkRequest): Promise<PlannedFork> {
  const { experiment: parent } = await findWholeExperiment(database, id);
  const spec = await changedSpec(database, parent, { overrides: overridesOf(parent, request) });
  const { changed, stored: before } = spec;
  if (changed.unavailable.length > 0) {
    throw new ThawError('REQUEST_NOT_AVAILABLE', formatProblems(`a fork of ${parent.id}`, changed.unavailable));
  }
  const { fromRound: round } = request;
  const after = changed.experiment;
  const plan: ForkPlan =
    round === null
      ? { rows: { from: parent.id, round: null, runs: [], evaluations: {} }, origins: [], notes: [] }
      : await planFork(database, { parent, before, after, round });
  return {
    parent,
    spec: { ...changed, fork: { rows: plan.rows, origins: plan.origins } },
    changes: changesOf(spec),
    notes: plan.notes,
  };
}

/** What is set on the way: another name, and with it another folder for results, unless they are asked for. */
function overridesOf({ name: before, resolved }: ExperimentRecord, { name, overrides }: ForkRequest): string[] {
  const set = (key: string) => overrides.some((text) => text.startsWith(`${key}=`));
  const chosen = name ?? `${before}-fork`;
  const folder = path.posix.join(path.posix.dirname(resolved.output_dir), chosen);
  return [
    ...(set('name') ? [] : [`name=${JSON.stringify(chosen)}`]),
    ...(set('output_dir') || set('name') ? [] : [`output_dir=${JSON.stringify(folder)}`]),
    ...overrides,
  ];
}

function changesOf({ stored, changed: { experiment } }: ChangedSpec): string[] {
  const head = ({ name, seeds }: ResolvedExperiment) => ({ name, seeds });
  return [
    ...differences(head(stored), head(experiment)).map(differenceText),
    ...submissionChanges(stored, experiment).filter((text) => !text.startsWith('output_dir ')),
    ...variantDifferences(measured(stored), measured(experiment)).map(differenceText),
  ];
}

function measured({ variants }: ResolvedExperiment): Record<string, unknown> {
  const parts = Object.entries(variants).map(
    ([name, variant]) => [name, { ...variant, diversity: undefined }] as const,
  );
  return Object.fromEntries(parts);
}

function plannedText(planned: PlannedFork): string {
  const { spec, changes } = planned;
  const lines = [`${idOf(planned)}  would be made: ${originText(planned)}`, ...planned.notes];
  if (changes.length > 0) lines.push('', limitedLines(changes));
  const beginning = beginningCount(spec);
  if (spec.fork.rows.round !== null && beginning > 0) {
    lines.push(
      '',
      `${pluralText(beginning, 'run')} that it does not share with its parent would begin at the beginning.`,
    );
  }
  return lines.join('\n');
}

function forkedText(planned: PlannedFork, submission: Submission): string {
  const { id } = submission.experiment;
  return [submissionText(submission), `  ${originText(planned)}`, `  thaw watch ${id}    follow it`].join('\n');
}

function originText({ parent, spec }: PlannedFork): string {
  const { round, runs } = spec.fork.rows;
  if (round === null) return `forked from ${parent.id}, from the beginning`;
  return `forked from ${parent.id} at round ${round}, where ${pluralText(runs.length, 'run')} ${runs.length === 1 ? 'goes' : 'go'} on`;
}

function beginningCount({ experiment, fork: { rows } }: PlannedFork['spec']): number {
  return Object.keys(experiment.variants).length * experiment.seeds.length - rows.runs.length;
}

function idOf({ spec }: PlannedFork): string {
  return experimentId(spec.experiment.name, experimentHash(spec.experiment, spec.fork.origins));
}

function documentOf(planned: PlannedFork): Record<string, unknown> {
  const { parent, spec, changes, notes } = planned;
  const { round, runs } = spec.fork.rows;
  return {
    id: idOf(planned),
    name: spec.experiment.name,
    forked_from: parent.id,
    forked_round: round,
    changes,
    runs: runs.map(({ variant, seed, from }) => ({ variant, seed, forked_from: from })),
    runs_from_the_beginning: beginningCount(spec),
    notes,
  };
}

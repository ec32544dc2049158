import { stateCounts, type RunCounts } from '../../learning/results/state-counts.ts';
import type { Problem } from '../../schemas/problem.ts';
import { experimentHash, experimentId } from '../../specification/experiment-identity.ts';
import type { SpecFile, ValidSpec } from '../specs/spec-files.ts';
import type { Submission } from './submission.ts';

/**
 * What becomes of a file: its experiment is new; it was there before; another file of the same command holds it too; the
 * file is wrong; or nothing is wrong with it, but with another one, and all or none was asked for.
 */
export type FileStatus = 'new' | 'same' | 'duplicate' | 'refused' | 'not_submitted';

/** What became of a file, as other programs read it. */
export interface FileOutcome {
  readonly file: string;
  readonly status: FileStatus;
  /** Null for what is refused. */
  readonly id: string | null;
  /** Null where nothing is stored. */
  readonly version: number | null;
  readonly runs: RunCounts | null;
  readonly problems: readonly Problem[];
}

/** The files of a command, each once, divided by what can be done with them. */
export interface Batch {
  /** What is stored and started: of files that hold one experiment the first. */
  readonly startable: readonly ValidSpec[];
  readonly refused: readonly (FileOutcome & { readonly status: 'refused' })[];
  /** In the order of the files: what is refused, or the id of what is not. */
  readonly order: readonly (FileOutcome | { readonly file: string; readonly id: string })[];
}

/** Divides files that were read. */
export function batchFrom(specs: readonly SpecFile[]): Batch {
  const startable = new Map<string, ValidSpec>();
  const order = specs.map((spec) => {
    const problems = spec.ok ? spec.unavailable : spec.problems;
    if (!spec.ok || problems.length > 0) return refusedFile(spec.file, problems);
    const id = idOf(spec);
    if (!startable.has(id)) startable.set(id, spec);
    return { file: spec.file, id };
  });
  const refused = order.flatMap((entry) => ('status' in entry ? [entry] : []));
  return { startable: [...startable.values()], refused, order };
}

function idOf({ experiment }: ValidSpec): string {
  return experimentId(experiment.name, experimentHash(experiment));
}

function refusedFile(file: string, problems: readonly Problem[]) {
  return { file, status: 'refused' as const, id: null, version: null, runs: null, problems };
}

/**
 * What became of every file, in their order.
 * @param submissions of what could be started, in that order; null when nothing was submitted
 */
export function outcomesOf({ startable, order }: Batch, submissions: readonly Submission[] | null): FileOutcome[] {
  const submitted = new Map(startable.map((spec, index) => [idOf(spec), submissions?.[index]]));
  const seen = new Set<string>();
  return order.map((entry) => {
    if ('status' in entry) return entry;
    const { file, id } = entry;
    const submission = submitted.get(id);
    if (submission === undefined)
      return { file, status: 'not_submitted', id: null, version: null, runs: null, problems: [] };
    const status = seen.has(id) ? 'duplicate' : submission.isNew ? 'new' : 'same';
    seen.add(id);
    const { experiment, runs } = submission;
    return { file, status, id: experiment.id, version: experiment.version, runs: stateCounts(runs), problems: [] };
  });
}
